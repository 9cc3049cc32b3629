//! Starting a turn, the same way in every protocol.

use axum::Json;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use turnkit_core::{Idempotency, SessionId, TurnId};
use turnkit_engine::{Receipt, TurnRequest};
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::Principal;
use crate::dialect::{Dialect, Reader};
use crate::error::ApiError;
use crate::stream::{self, EventStream, TurnTelling, about};

/// The header by which a client names a request, so that sending it twice starts one turn.
const IDEMPOTENCY_KEY: &str = "idempotency-key";
/// The longest such name, in bytes.
const KEY_BYTES: usize = 255;

/// A turn that was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Begun {
    /// The turn.
    #[schema(value_type = uuid::Uuid)]
    pub turn_id: TurnId,
    /// Its session.
    #[schema(value_type = uuid::Uuid)]
    pub session_id: SessionId,
}

/// What a client wants to hear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// That the turn is accepted.
    Receipt,
    /// Everything that happens in it.
    Stream,
}

/// A request that starts a turn.
pub(crate) struct Start<'a> {
    /// In which protocol it is made.
    pub(crate) dialect: &'static Dialect,
    /// Whether what the protocol itself does not have is wanted.
    pub(crate) ext: bool,
    /// What the client wants to hear.
    pub(crate) answer: Answer,
    /// The head of the request.
    pub(crate) headers: &'a HeaderMap,
    /// Its body, as it came.
    pub(crate) body: &'a Bytes,
}

/// Stores a turn and tells its client about it. Once the answer begins, the turn comes to its end whatever happens.
pub(crate) async fn start(app: &App, principal: &Principal, start: Start<'_>) -> Result<Response, ApiError> {
    app.takes_turns()?;
    let request = read(&start)?;
    let receipt = app.service.accept(&principal.scope, request).await?;
    let turn = receipt.turn;
    match start.answer {
        Answer::Receipt => {
            let begun = Begun { turn_id: turn, session_id: receipt.session };
            Ok(about(turn, (StatusCode::ACCEPTED, Json(begun))))
        }
        Answer::Stream => {
            // The turn is there whatever becomes of its stream: who cannot be told can still look for it.
            Ok(match follow(app, principal, &start, receipt).await {
                Ok(stream) => about(turn, stream),
                Err(error) => about(turn, error),
            })
        }
    }
}

async fn follow(
    app: &App,
    principal: &Principal,
    start: &Start<'_>,
    receipt: Receipt,
) -> Result<EventStream<TurnTelling>, ApiError> {
    let feed = app.service.follow_accepted(&principal.scope, &receipt).await?;
    let called = stream::called(receipt.session, receipt.name);
    let reader = Reader { turn: receipt.turn, called, ext: start.ext };
    Ok(stream::of_turn(app, principal, (start.dialect, &reader), (feed, None)))
}

/// What is asked for.
fn read(start: &Start<'_>) -> Result<TurnRequest, ApiError> {
    let asked = (start.dialect.decode)(start.body)?;
    Ok(TurnRequest {
        session: asked.session,
        agent: asked.agent,
        route: asked.route,
        message: asked.message,
        caps: start.dialect.caps,
        busy: None,
        idempotency: idempotency(start.headers, asked.idempotency_key, start.body)?,
    })
}

/// The client's name for this request, from the head or the body. The body is compared as it came, byte for byte.
fn idempotency(headers: &HeaderMap, in_body: Option<String>, body: &[u8]) -> Result<Option<Idempotency>, ApiError> {
    let wrong = |why: &str| ApiError::field("idempotency_key", why);
    let mut keys = Vec::new();
    for value in headers.get_all(IDEMPOTENCY_KEY) {
        keys.push(value.to_str().map_err(|_| wrong("the header holds more than visible ASCII"))?);
    }
    keys.extend(in_body.as_deref());
    let Some(key) = keys.first().copied() else { return Ok(None) };
    if keys.iter().any(|other| *other != key) {
        return Err(wrong("header and body name different keys"));
    }
    if key.is_empty() || key.len() > KEY_BYTES {
        return Err(wrong("it has 1 to 255 bytes"));
    }
    Ok(Some(Idempotency { key: key.into(), body_sha256: Sha256::digest(body).into() }))
}
