//! Starting a turn, the same way in every protocol.

use axum::Json;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use turnkit_core::{Idempotency, SessionId, TurnId};
use turnkit_engine::{FollowFrom, TurnRequest};
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::Principal;
use crate::dialect::{Dialect, Told};
use crate::error::{ApiError, Code};
use crate::stream::{self, about};

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
    let Start { dialect, ext, answer, .. } = start;
    let (request, called) = read(&start).map_err(|error| as_in(dialect, error))?;
    let accepted = app.service.accept(&principal.scope, request).await;
    let receipt = accepted.map_err(|error| as_in(dialect, error.into()))?;
    let (turn, session) = (receipt.turn, receipt.session);
    match answer {
        Answer::Receipt => {
            let begun = Begun { turn_id: turn, session_id: session };
            Ok(about(turn, (StatusCode::ACCEPTED, Json(begun))))
        }
        Answer::Stream => {
            let feed = app.service.follow(&principal.scope, turn, FollowFrom::Start).await?;
            let called = called.unwrap_or_else(|| session.to_string());
            let told = Told { turn, called, ext };
            Ok(about(turn, stream::of_turn(app, principal, dialect, &told, (feed, None))))
        }
    }
}

/// What is asked for, and what the client called the session.
fn read(start: &Start<'_>) -> Result<(TurnRequest, Option<String>), ApiError> {
    let asked = (start.dialect.decode)(start.body)?;
    let request = TurnRequest {
        session: asked.session,
        agent: asked.agent,
        message: asked.message,
        caps: (start.dialect.caps)(start.ext),
        busy: None,
        idempotency: idempotency(start.headers, asked.idempotency_key, start.body)?,
    };
    Ok((request, asked.called))
}

/// Clients of some protocols know another status for what can be read and is wrong.
fn as_in(dialect: &Dialect, error: ApiError) -> ApiError {
    match error.code() {
        Code::InvalidRequest | Code::KeyReused => error.with_status(dialect.door.wrong),
        _ => error,
    }
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
