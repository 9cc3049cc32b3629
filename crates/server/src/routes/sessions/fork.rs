//! Forks a session.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use bytes::Bytes;
use serde::Deserialize;
use turnkit_core::SessionId;
use turnkit_core::ports::Fork;
use utoipa::ToSchema;

use super::{Session, SessionSchema, fields, shown};
use crate::app::App;
use crate::auth::Principal;
use crate::error::ApiError;
use crate::json;
use crate::routes::extract::Id;

/// Fork a session
///
/// Creates a new session that begins with the history of this one, up to and including a turn that has ended. The body
/// is optional.
#[utoipa::path(
    post,
    path = "/api/v1/sessions/{id}/fork",
    operation_id = "fork_session",
    tag = "sessions",
    params(("id" = uuid::Uuid, Path, description = "The session.")),
    request_body(content = ForkRequest, example = json!({ "after": "01989bd8-0f6e-7b7c-a0f3-8f0d4a4a4f10" })),
    responses(
        (status = 201, description = "The new session.", body = SessionSchema, example = json!(shown())),
        (status = 409, description = "`session_busy`: the turn has not ended."),
    ),
)]
pub(super) async fn fork(
    State(app): State<App>,
    principal: Principal,
    Id(session): Id<SessionId>,
    body: Bytes,
) -> Result<(StatusCode, Json<Session>), ApiError> {
    // All fields are optional, and so is the body.
    let ForkRequest { after, title } = if body.is_empty() { ForkRequest::default() } else { json::read(&body)? };
    let after = after.map(|turn| turn.parse().map_err(|_| ApiError::not_found())).transpose()?;
    let at = app.clock.now();
    let fork = Fork { from: session, after, new: app.ids.session(at), turn: app.ids.turn(at), title, at };
    let session = app.service.fork_session(&principal.scope, fork).await?;
    Ok((StatusCode::CREATED, Json(session.into())))
}

/// A request to fork a session.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ForkRequest {
    /// The last turn to include. Without it, the last turn that has ended on the branch of the head.
    #[schema(value_type = Option<uuid::Uuid>)]
    after: Option<String>,
    /// The title of the new session. Without it, the title of the original session.
    #[serde(default, deserialize_with = "fields::title")]
    #[schema(value_type = Option<String>, max_length = 200)]
    title: Option<Box<str>>,
}
