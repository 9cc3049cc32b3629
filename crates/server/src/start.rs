//! Starts a turn, in the same way for every protocol.

use axum::Json;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use turnkit_core::{ClientCaps, Idempotency, SessionId, TurnId};
use turnkit_engine::{Receipt, TurnFeed, TurnRequest};
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::Principal;
use crate::dialect::{Answer, Dialect, Endpoint, Head, StreamContext, TurnSubmission};
use crate::error::ApiError;
use crate::permitted_agent;
use crate::stream::{self, with_turn_header};
use crate::trace_parent::caller_trace;

/// The header with a client's name for a request. Sending a request twice with the same name starts one turn.
const IDEMPOTENCY_KEY: &str = "idempotency-key";
/// The longest idempotency key, in bytes.
const KEY_BYTES: usize = 255;

/// A turn that was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AcceptedTurn {
    /// The turn.
    #[schema(value_type = uuid::Uuid)]
    pub turn_id: TurnId,
    /// The session of the turn.
    #[schema(value_type = uuid::Uuid)]
    pub session_id: SessionId,
}

/// A request that starts a turn.
pub(crate) struct Start<'a> {
    /// The protocol of the request.
    pub(crate) dialect: &'static Dialect,
    /// The endpoint it was posted to.
    pub(crate) endpoint: &'static Endpoint,
    /// Whether the client wants the extensions to the protocol.
    pub(crate) ext: bool,
    pub(crate) head: Head<'a>,
    /// The body of the request, as received.
    pub(crate) body: &'a Bytes,
}

/// Stores a turn and responds to its client. Once the response begins, the turn runs to its end whatever happens to the
/// client.
pub(crate) async fn start(app: &App, principal: &Principal, start: Start<'_>) -> Result<Response, ApiError> {
    app.accepts_turns()?;
    let mut submission = (start.endpoint.decode)(&start.head, start.body)?;
    if !principal.access.agents().is_empty() {
        let agent = permitted_agent::for_session(app, principal, &submission.session, submission.agent.take());
        // Boxed, so that the turns of unrestricted callers do not carry its state.
        submission.agent = Box::pin(agent).await?;
    }
    let answer = submission.answer;
    let receipt = app.service.accept(&principal.scope, request(principal, &start, submission)?).await?;
    Ok(answered(app, principal, &start, receipt, answer).await)
}

/// Responds to the client of an accepted turn.
pub(crate) async fn answered(
    app: &App,
    principal: &Principal,
    start: &Start<'_>,
    receipt: Receipt,
    answer: Answer,
) -> Response {
    let turn = receipt.turn;
    let answered = match (answer, start.endpoint.whole) {
        (Answer::Whole, None) => {
            let accepted = AcceptedTurn { turn_id: turn, session_id: receipt.session };
            Ok((StatusCode::ACCEPTED, Json(accepted)).into_response())
        }
        // Boxed, so that the other responses do not carry its state.
        (Answer::Whole, Some(write)) => match follow(app, principal, start, receipt).await {
            Ok((feed, context)) => {
                Box::pin(stream::whole(app, principal, feed)).await.map(|view| write(&context, &view))
            }
            Err(error) => Err(error),
        },
        (Answer::Stream, _) => follow(app, principal, start, receipt).await.map(|(feed, context)| {
            stream::of_turn(app, principal, (start.dialect, &context), (feed, None)).into_response()
        }),
    };
    // The turn is accepted even if its response fails: the header names the turn, so the client can still find it.
    with_turn_header(turn, answered.unwrap_or_else(start.endpoint.error_response))
}

async fn follow(
    app: &App,
    principal: &Principal,
    start: &Start<'_>,
    receipt: Receipt,
) -> Result<(TurnFeed, StreamContext), ApiError> {
    let feed = app.service.follow_accepted(&principal.scope, &receipt).await?;
    let session_label = stream::session_label(receipt.session, receipt.name);
    Ok((feed, StreamContext { turn: receipt.turn, session_label, ext: start.ext }))
}

/// Converts a submission into the engine's request.
fn request(principal: &Principal, start: &Start<'_>, submission: TurnSubmission) -> Result<TurnRequest, ApiError> {
    let TurnSubmission {
        session,
        agent,
        route,
        params,
        tools,
        client_tools,
        mode,
        message,
        files,
        context,
        idempotency_key,
        answer: _,
        after,
        busy,
        interact,
    } = submission;
    let caps = start.dialect.caps;
    Ok(TurnRequest {
        session,
        agent,
        route,
        params,
        tools,
        client_tools,
        mode,
        message,
        files,
        context,
        caps: ClientCaps { interact: caps.interact || interact, ..caps },
        busy,
        reach: principal.access.reach(),
        idempotency: idempotency(start.head.headers, idempotency_key, start.body)?,
        after,
        trace: caller_trace(start.head.headers),
    })
}

/// Reports whether the headers contain an idempotency key, so that the client can come back to its request.
pub(crate) fn names_request(headers: &HeaderMap) -> bool {
    headers.contains_key(IDEMPOTENCY_KEY)
}

/// Returns the idempotency key of a request, from a header or the body. Bodies are compared as received, byte for byte.
pub(crate) fn idempotency(
    headers: &HeaderMap,
    in_body: Option<String>,
    body: &[u8],
) -> Result<Option<Idempotency>, ApiError> {
    let wrong = |why: &str| ApiError::field("idempotency_key", why);
    let mut keys = Vec::new();
    for value in headers.get_all(IDEMPOTENCY_KEY) {
        keys.push(value.to_str().map_err(|_| wrong("the header must contain only visible ASCII characters"))?);
    }
    keys.extend(in_body.as_deref());
    let Some(key) = keys.first().copied() else { return Ok(None) };
    if keys.iter().any(|other| *other != key) {
        return Err(wrong("the header and the body contain different keys"));
    }
    if key.is_empty() || key.len() > KEY_BYTES {
        return Err(wrong("must be 1 to 255 bytes long"));
    }
    Ok(Some(Idempotency { key: key.into(), body_sha256: Sha256::digest(body).into() }))
}
