//! Changes the fields of a session.

use axum::Json;
use axum::extract::State;
use bytes::Bytes;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use turnkit_core::ports::SessionEdit;
use turnkit_core::{SamplingParams, SessionId, SessionName, ToolUse, TurnId};
use utoipa::ToSchema;

use super::{Session, SessionSchema, fields, shown};
use crate::app::App;
use crate::auth::Principal;
use crate::error::ApiError;
use crate::json::params::ParamsBody;
use crate::json::tool_use::ToolUseBody;
use crate::json::{self, text};
use crate::routes::extract::Id;

/// Change a session
#[utoipa::path(
    patch,
    path = "/api/v1/sessions/{id}",
    operation_id = "edit_session",
    tag = "sessions",
    params(("id" = uuid::Uuid, Path, description = "The session.")),
    request_body(content = Edit, example = json!({ "title": "Ten days in Lisbon", "name": null })),
    responses(
        (status = 200, description = "The session as it is now.", body = SessionSchema, example = json!(shown())),
        (status = 409, description = "`session_busy`: the head cannot be moved while a turn runs or waits, except for a turn that the service made itself, which is stopped; or to a turn that has not ended."),
    ),
)]
pub(super) async fn edit(
    State(app): State<App>,
    principal: Principal,
    Id(session): Id<SessionId>,
    body: Bytes,
) -> Result<Json<Session>, ApiError> {
    let Edit { title, name, metadata, head, prompt, params, tools, mode, pinned, archived } = json::read(&body)?;
    let known = |name: Option<Box<str>>| name.map(|name| fields::known_prompt(&app.settings, name)).transpose();
    let prompt = prompt.map(known).transpose()?;
    let params = params.map(|sent| sent.map_or(Ok(SamplingParams::default()), ParamsBody::into_params)).transpose()?;
    let known = |name: Option<Box<str>>| name.map(|name| fields::known_mode(&app.settings, name)).transpose();
    let mode = mode.map(known).transpose()?;
    let tools = tools.map(|sent| sent.map(ToolUse::from).unwrap_or_default());
    let edit = SessionEdit { title, name, metadata, head, prompt, params, tools, mode, pinned, archived };
    let session = app.service.edit_session(&principal.scope, session, edit).await?;
    Ok(Json(session.into()))
}

/// Changes to a session. An absent field is not changed; a field that is `null` is cleared.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Edit {
    /// The title of the session; `null` clears it.
    #[serde(default, deserialize_with = "title")]
    #[schema(value_type = Option<String>, max_length = 200)]
    title: Option<Box<str>>,
    /// The client's name for the session; `null` clears it.
    #[serde(default, deserialize_with = "name")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 128)]
    name: Option<Option<SessionName>>,
    /// The complete metadata, which replaces the current one; at most 16 KiB. `null` clears it.
    #[serde(default, deserialize_with = "metadata")]
    metadata: Option<Map<String, Value>>,
    /// The turn that the next turn continues: a turn of this session that has ended. `null`: the next turn starts
    /// without history. No message is removed.
    #[serde(default, deserialize_with = "head")]
    #[schema(value_type = Option<uuid::Uuid>)]
    head: Option<Option<TurnId>>,
    /// The name of a configured prompt, which is appended to the agent's own; `null` selects none.
    #[serde(default, deserialize_with = "optional_name")]
    #[schema(value_type = Option<String>)]
    prompt: Option<Option<Box<str>>>,
    /// The complete settings of the model calls of its turns, which replace the current ones for turns that start from
    /// now on. `null` clears them.
    #[serde(default, deserialize_with = "params")]
    #[schema(inline, value_type = Option<ParamsBody>)]
    params: Option<Option<ParamsBody>>,
    /// `none`: turns that start from now on have no tools, and their models receive no calls and results. `auto` or
    /// `null`: they have the tools of their agent.
    #[serde(default, deserialize_with = "tools")]
    #[schema(inline, value_type = Option<ToolUseBody>)]
    tools: Option<Option<ToolUseBody>>,
    /// The name of the mode of turns that start from now on; `null` selects none.
    #[serde(default, deserialize_with = "optional_name")]
    #[schema(value_type = Option<String>)]
    mode: Option<Option<Box<str>>>,
    /// Whether lists begin with the session.
    #[serde(default, deserialize_with = "switch")]
    #[schema(value_type = Option<bool>)]
    pinned: Option<bool>,
    /// Whether lists leave the session out unless they are asked for archived ones. The next message to the session
    /// ends this.
    #[serde(default, deserialize_with = "switch")]
    #[schema(value_type = Option<bool>)]
    archived: Option<bool>,
}

/// Reads a switch, which `null` turns off.
fn switch<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    Option::<bool>::deserialize(deserializer).map(|switch| Some(switch.unwrap_or_default()))
}

fn title<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Box<str>>, D::Error> {
    fields::title(deserializer).map(|title| Some(title.unwrap_or_default()))
}

fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<SessionName>>, D::Error> {
    text::optional_session_name(deserializer).map(Some)
}

/// A string that is not an id is rejected like the id of an unknown turn.
fn head<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<TurnId>>, D::Error> {
    let turn = Option::<String>::deserialize(deserializer)?.map(|id| id.parse()).transpose();
    turn.map(Some).map_err(|_| text::invalid("the session has no such turn"))
}

fn metadata<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Map<String, Value>>, D::Error> {
    fields::metadata(deserializer).map(|metadata| Some(metadata.unwrap_or_default()))
}

fn optional_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<Box<str>>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

fn params<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<ParamsBody>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

fn tools<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<ToolUseBody>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}
