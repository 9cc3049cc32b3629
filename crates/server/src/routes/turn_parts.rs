//! A complete part of a turn.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;
use turnkit_core::{AccessScope, PartId, PartKind, PartView, ToolView, TurnId, TurnView};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::schema::{PartViewSchema, ToolViewSchema};
use super::scoped::ScopedRouter;
use crate::app::App;
use crate::auth::Principal;
use crate::dialect::native::{PartBody, ToolBody};
use crate::error::ApiError;

pub(crate) fn router() -> ScopedRouter {
    ScopedRouter::new().routes(AccessScope::Read, routes!(show))
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
