//! Interactions: the decisions that turns wait for people to make.

mod body;
mod decision;

use axum::Json;
use axum::extract::State;
use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Value, json};
use turnkit_core::ports::{WaitList, WaitPage};
use turnkit_core::{AccessScope, ResolveOutcome, WaitId};
use utoipa::IntoParams;
use utoipa_axum::routes;

pub use body::{InteractionBody, QuestionBody, ResolutionBody};
use decision::DecisionRequest;

use super::extract::{Id, Query};
use super::list::{Limit, List, id_filter, list_error};
use super::scoped::ScopedRouter;
use crate::app::App;
use crate::auth::Principal;
use crate::error::{ApiError, ErrorCode};
use crate::json;

pub(crate) fn router() -> ScopedRouter {
    ScopedRouter::new()
        .routes(AccessScope::Read, routes!(list))
        .routes(AccessScope::Read, routes!(show))
        .routes(AccessScope::Decide, routes!(decide))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListParams {
    /// `pending`: undecided interactions. `all`: also decided ones, as long as the events of their turn are stored.
    #[param(default = "pending")]
    state: Option<String>,
    /// Only interactions of this session and of the sub-agents below it.
    #[param(value_type = Option<uuid::Uuid>)]
    session: Option<String>,
    /// Only interactions of this turn and of the sub-agents below it.
    #[param(value_type = Option<uuid::Uuid>)]
    turn: Option<String>,
    /// The largest number of items to return, up to 200.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200, default = 50)]
    limit: Option<String>,
    /// The `next` of the previous page.
    cursor: Option<String>,
}

/// List interactions
///
/// The pending interactions of the caller's turns, oldest turn first.
#[utoipa::path(
    get,
    path = "/api/v1/interactions",
    operation_id = "list_interactions",
    tag = "interactions",
    params(ListParams),
    responses(
        (status = 200, description = "A page of the list.", body = List<InteractionBody>, example = json!({
            "data": [shown()], "next": null,
        })),
        (status = 404, description = "`not_found`: there is no such session or turn, or the cursor does not belong to this list."),
    ),
)]
async fn list(
    State(app): State<App>,
    principal: Principal,
    Query(params): Query<ListParams>,
) -> Result<Json<List<InteractionBody>>, ApiError> {
    let page = WaitPage {
        session: id_filter("session", params.session)?,
        turn: id_filter("turn", params.turn)?,
        below: true,
        pending: match params.state.as_deref() {
            None | Some("pending") => true,
            Some("all") => false,
            Some(_) => return Err(ApiError::field("state", "must be `pending` or `all`")),
        },
        limit: Limit::read(params.limit.as_deref())?.shown(),
        after: params.cursor.map(|id| id.parse().map_err(|_| ApiError::not_found())).transpose()?,
    };
    let only = match (&page.session, &page.turn, &page.after) {
        (Some(_), None, None) => Some("session"),
        (None, Some(_), None) => Some("turn"),
        _ => None,
    };
    let found = app.service.waits(&principal.scope, page).await;
    let WaitList { waits, unreadable, next } = found.map_err(|error| list_error(error, only))?;
    let data = waits.into_iter().map(InteractionBody::from).collect();
    Ok(Json(List { data, next: next.map(|wait| wait.to_string()), unreadable }))
}

/// Show an interaction
#[utoipa::path(
    get,
    path = "/api/v1/interactions/{id}",
    operation_id = "show_interaction",
    tag = "interactions",
    params(("id" = String, Path, description = "The interaction.")),
    responses((status = 200, description = "The interaction.", body = InteractionBody, example = json!(shown()))),
)]
async fn show(
    State(app): State<App>,
    principal: Principal,
    Id(wait): Id<WaitId>,
) -> Result<Json<InteractionBody>, ApiError> {
    Ok(Json(app.service.wait(&principal.scope, wait).await?.into()))
}

/// Decide an interaction
///
/// The first decision counts. Once the last decision that a turn waits for is made, the turn continues at once. The
/// same decision may be sent again, with the same arguments and the same note.
#[utoipa::path(
    post,
    path = "/api/v1/interactions/{id}",
    operation_id = "decide_interaction",
    tag = "interactions",
    params(("id" = String, Path, description = "The interaction.")),
    request_body(content = DecisionRequest, example = json!({ "decision": "deny", "note": "Ask Bob first." })),
    responses(
        (status = 200, description = "The decided interaction.", body = InteractionBody, example = json!(decided())),
        (
            status = 409,
            description = "`already_decided`: the interaction already has a different decision. The message names it, and its time.",
        ),
        (
            status = 410,
            description = "`too_late`: the interaction expired, or its turn has ended or is being cancelled.",
        ),
    ),
)]
async fn decide(
    State(app): State<App>,
    principal: Principal,
    Id(id): Id<WaitId>,
    body: Bytes,
) -> Result<Json<InteractionBody>, ApiError> {
    let resolution = json::read::<DecisionRequest>(&body)?.resolution()?;
    match app.service.resolve(&principal.scope, id, resolution).await? {
        ResolveOutcome::Decided { .. } | ResolveOutcome::Repeated => {
            Ok(Json(app.service.wait(&principal.scope, id).await?.into()))
        }
        ResolveOutcome::AlreadyResolved(_) => {
            let interaction = InteractionBody::from(app.service.wait(&principal.scope, id).await?);
            Err(ApiError::new(ErrorCode::AlreadyDecided, interaction.already_decided()))
        }
        ResolveOutcome::TooLate => Err(ApiError::new(
            ErrorCode::TooLate,
            "the interaction expired, or its turn has ended or is being cancelled",
        )),
    }
}

/// Returns an example of an interaction for the OpenAPI document.
fn shown() -> Value {
    json!({
        "id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01.1.0.0",
        "kind": "approval",
        "session_id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a02",
        "turn_id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01",
        "name": "pay",
        "arguments": "{\"to\":\"Bob\",\"amount\":10}",
        "reason": "rule 3 of the configuration asks for approval",
        "created_at": "2026-01-01T12:00:00.000Z",
        "expires_at": "2026-01-08T12:00:00.000Z",
        "decided": null,
    })
}

/// Returns an example of a decided interaction.
fn decided() -> Value {
    let mut interaction = shown();
    interaction["decided"] =
        json!({ "decision": "denied", "by": "person", "note": "Ask Bob first.", "at": "2026-01-01T12:01:00.000Z" });
    interaction
}
