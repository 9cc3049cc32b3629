//! Creates a session before its first turn.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Map, Value};
use turnkit_core::ports::NewSession;
use turnkit_core::{SessionName, ToolUse};
use utoipa::ToSchema;

use super::{Session, SessionSchema, fields, shown};
use crate::app::App;
use crate::auth::Principal;
use crate::error::ApiError;
use crate::json::params::ParamsBody;
use crate::json::tool_use::ToolUseBody;
use crate::json::{self, text};
use crate::permitted_agent;

/// Create a session
///
/// A turn creates its session by itself. This route is for a session that needs a name, a title or metadata beforehand.
#[utoipa::path(
    post,
    path = "/api/v1/sessions",
    operation_id = "create_session",
    tag = "sessions",
    request_body(content = CreateRequest, example = json!({ "name": "trip", "title": "A week in Lisbon" })),
    responses(
        (status = 201, description = "The session.", body = SessionSchema, example = json!(shown())),
        (status = 403, description = "`forbidden`: the key or token lacks the scope chat, or a scope for the agent."),
        (status = 404, description = "`not_found`: there is no such agent."),
        (status = 422, description = "`invalid_request`: there is no such prompt."),
    ),
)]
pub(super) async fn create(
    State(app): State<App>,
    principal: Principal,
    body: Bytes,
) -> Result<(StatusCode, Json<Session>), ApiError> {
    let creation: CreateRequest = json::read(&body)?;
    let at = app.clock.now();
    let session = NewSession {
        id: app.ids.session(at),
        name: creation.name,
        agent: permitted_agent::choose(&app, &principal, creation.agent)?.into(),
        title: creation.title.unwrap_or_default(),
        metadata: creation.metadata.unwrap_or_default(),
        prompt: creation.prompt.map(|name| fields::known_prompt(&app.settings, name)).transpose()?,
        params: creation.params.map(ParamsBody::into_params).transpose()?.unwrap_or_default(),
        tools: creation.tools.map(ToolUse::from).unwrap_or_default(),
        mode: creation.mode.map(|name| fields::known_mode(&app.settings, name)).transpose()?,
        at,
    };
    let session = app.service.create_session(&principal.scope, session).await?;
    Ok((StatusCode::CREATED, Json(session.into())))
}

/// A request to create a session.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CreateRequest {
    /// The client's name for the session, unique among the sessions of its owner.
    #[serde(default, deserialize_with = "text::optional_session_name")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 128)]
    name: Option<SessionName>,
    /// The agent of the session. Without it, the first configured agent that the caller may use.
    agent: Option<String>,
    /// The title of the session.
    #[serde(default, deserialize_with = "fields::title")]
    #[schema(value_type = Option<String>, max_length = 200)]
    title: Option<Box<str>>,
    /// Values that tools and clients store, by key; at most 16 KiB.
    #[serde(default, deserialize_with = "fields::metadata")]
    metadata: Option<Map<String, Value>>,
    /// The name of a configured prompt, which is appended to the agent's own.
    prompt: Option<Box<str>>,
    /// Settings of the model calls of its turns. An absent setting is taken from the agent.
    #[schema(inline)]
    params: Option<ParamsBody>,
    /// `none`: its turns have no tools, and their models receive no calls and results.
    #[schema(inline)]
    tools: Option<ToolUseBody>,
    /// The name of the mode of its turns: `general`, `plan`, `build`, `explore` or another mode of an agent.
    mode: Option<Box<str>>,
}
