//! Compaction: a summary replaces the earlier messages of a session.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use turnkit_core::{AcceptError, SessionId, SessionKey};
use turnkit_engine::CompactRequest;

use crate::app::App;
use crate::auth::Principal;
use crate::dialect::native;
use crate::error::ApiError;
use crate::permitted_agent;
use crate::routes::extract::Id;
use crate::start::{AcceptedTurn, idempotency};
use crate::trace_parent::{ABOUT_TRACE_PARENT, caller_trace};

/// Summarise earlier messages
///
/// Starts a turn that writes a summary. From then on, models receive the summary in place of the earlier messages of
/// the session. The newest messages stay, and the list of messages does not change. The turn can be followed and
/// cancelled like any other; its event `compacted` reports the result. If there is no summary, or if it is hardly
/// smaller than the messages, the turn fails and nothing changes.
#[utoipa::path(
    post,
    path = "/api/v1/sessions/{id}/compact",
    operation_id = "compact_session",
    tag = "sessions",
    params(
        ("id" = uuid::Uuid, Path, description = "The session."),
        ("idempotency-key" = Option<String>, Header, min_length = 1, max_length = 255,
            description = "Sent twice with one key, a request starts one turn."),
        ("traceparent" = Option<String>, Header, description = ABOUT_TRACE_PARENT),
    ),
    responses(
        (status = 202, description = "The turn is accepted.", body = AcceptedTurn, example = json!({
            "turn_id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a03", "session_id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a02",
        })),
        (status = 403, description = "`forbidden`: the key or token lacks the scope chat, or a scope for the agent."),
        (status = 422, description = "`key_reused`: the idempotency key was used for another request."),
        (status = 429, description = "`queue_full`: too many turns wait for the session."),
    ),
)]
pub(super) async fn compact(
    State(app): State<App>,
    principal: Principal,
    Id(session): Id<SessionId>,
    headers: HeaderMap,
) -> Result<(StatusCode, Json<AcceptedTurn>), ApiError> {
    app.accepts_turns()?;
    permitted_agent::for_session(&app, &principal, &SessionKey::Id(session), None).await?;
    let idempotency = idempotency(&headers, None, session.0.as_bytes())?;
    let trace = caller_trace(&headers);
    let (caps, reach) = (native::DIALECT.caps, principal.access.reach());
    let request = CompactRequest { session, caps, reach, idempotency, trace };
    let receipt = app.service.compact(&principal.scope, request).await.map_err(|error| match error {
        // The path has the id, not a field.
        AcceptError::NotFound(_) => ApiError::not_found(),
        error => error.into(),
    })?;
    Ok((StatusCode::ACCEPTED, Json(AcceptedTurn { turn_id: receipt.turn, session_id: receipt.session })))
}
