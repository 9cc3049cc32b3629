//! The complete texts of a turn, which pages of turns truncate.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;
use turnkit_core::{AccessScope, Part, PartId, PartKind, PartView, ToolView, TurnId, TurnView};
use turnkit_engine::RenderedTurn;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::extract::Id;
use super::schema::{PartSchema, PartViewSchema, ToolViewSchema};
use super::scoped::ScopedRouter;
use crate::app::App;
use crate::auth::Principal;
use crate::dialect::native::{PartBody, ToolBody};
use crate::error::ApiError;

pub(crate) fn router() -> ScopedRouter {
    ScopedRouter::new().routes(AccessScope::Read, routes!(show)).routes(AccessScope::Read, routes!(show_input))
}

/// A part of a turn.
#[derive(Debug, Serialize, ToSchema)]
struct TurnPartBody<'a> {
    /// The model's output.
    #[schema(value_type = PartViewSchema)]
    part: PartBody<'a>,
    /// The call, if the part is a call that ran or was rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<ToolViewSchema>)]
    tool: Option<ToolBody<'a>>,
}

/// Show a part of a turn
///
/// Returns the whole text, which pages of turns truncate after 64 KiB.
#[utoipa::path(
    get,
    path = "/api/v1/turns/{id}/parts/{part_id}",
    operation_id = "get_turn_part",
    tag = "turns",
    params(
        ("id" = uuid::Uuid, Path, description = "The turn."),
        ("part_id" = String, Path, description = "The `part_id`, as in `1.0`. A call has the one of the part that asked for it."),
    ),
    responses((status = 200, description = "The part.", body = TurnPartBody, example = json!({
        "part": { "part_id": "1.0", "type": "text", "text": "It is 42.", "ended": true, "since": 3 },
    })), (status = 404, description = "`not_found`: there is no such turn, or no such part in it.")),
)]
async fn show(
    State(app): State<App>,
    principal: Principal,
    Path((turn, part)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let turn: TurnId = turn.parse().map_err(|_| ApiError::not_found())?;
    let id: PartId = part.parse().map_err(|_| ApiError::not_found())?;
    let record = app.store.turn(&principal.scope, turn).await?;
    let view = app.service.rendered_turn(&principal.scope, &record).await?.view;
    let part = view.parts.iter().find(|part| part.id == id).ok_or_else(ApiError::not_found)?;
    let tool = tool_of(&view, part).map(ToolBody::new);
    Ok(Json(TurnPartBody { part: PartBody::new(part), tool }).into_response())
}

/// Returns the call that a part requested, if it ran or was rejected. The calls of a step are numbered in the order of
/// their parts.
fn tool_of<'a>(view: &'a TurnView, part: &PartView) -> Option<&'a ToolView> {
    let calls = view.parts.iter().filter(|other| other.kind == PartKind::ToolCall && other.id.step == part.id.step);
    let ordinal = calls.map(|call| call.id).position(|call| call == part.id)?;
    view.tools.iter().find(|tool| tool.uid.step == part.id.step && usize::from(tool.uid.ordinal) == ordinal)
}

/// The texts of the messages of a turn.
#[derive(Debug, Serialize, ToSchema)]
struct TurnInputBody {
    /// Those of the user's message with its files, then those of messages that joined the running turn. For the turn
    /// that holds the messages with which a session was created, theirs.
    #[schema(value_type = Vec<PartSchema>)]
    parts: Vec<Part>,
}

/// Show the input of a turn
///
/// Returns the whole texts, of the types `text` and `context`, which pages of turns truncate after 64 KiB.
#[utoipa::path(
    get,
    path = "/api/v1/turns/{id}/input",
    operation_id = "get_turn_input",
    tag = "turns",
    params(("id" = uuid::Uuid, Path, description = "The turn.")),
    responses((status = 200, description = "The texts.", body = TurnInputBody, example = json!({
        "parts": [{ "type": "text", "text": "What is 6 x 7?" }],
    })), (status = 404, description = "`not_found`: there is no such turn.")),
)]
async fn show_input(
    State(app): State<App>,
    principal: Principal,
    Id(turn): Id<TurnId>,
) -> Result<Json<TurnInputBody>, ApiError> {
    let record = app.store.turn(&principal.scope, turn).await?;
    let RenderedTurn { view, messages } = app.service.rendered_turn(&principal.scope, &record).await?;
    let steered = view.steered.into_iter().flat_map(|steered| steered.input);
    let parts = view.input.into_iter().chain(steered).chain(messages.into_iter().flat_map(|message| message.parts));
    let parts = parts.filter(|part| matches!(part, Part::Text(_) | Part::Context(_))).collect();
    Ok(Json(TurnInputBody { parts }))
}
