//! Turns: each runs from one user input to one terminal event.

mod body;
mod example;
mod list;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use turnkit_core::{AccessScope, TurnId, TurnState};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::routes;

pub use self::body::{AnsweringModelBody, TurnBody, TurnOverviewBody};
use super::extract::{Id, Query};
use super::scoped::ScopedRouter;
use crate::app::App;
use crate::auth::Principal;
use crate::error::ApiError;
use crate::permitted_agent;

pub(crate) fn router() -> ScopedRouter {
    ScopedRouter::new()
        .routes(AccessScope::Read, routes!(list::list))
        .routes(AccessScope::Read, routes!(show))
        .routes(AccessScope::Chat, routes!(cancel))
}

/// The query parameter that selects another user's turn.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct OwnerParams {
    /// The user whose turn it is, instead of the caller. Requires the scope `admin`.
    pub(super) user: Option<String>,
}

/// Show a turn
#[utoipa::path(
    get,
    path = "/api/v1/turns/{id}",
    operation_id = "show_turn",
    tag = "turns",
    params(("id" = uuid::Uuid, Path, description = "The turn."), OwnerParams),
    responses((status = 200, description = "The turn.", body = TurnBody, example = json!(example::shown()))),
)]
async fn show(
    State(app): State<App>,
    principal: Principal,
    Id(turn): Id<TurnId>,
    Query(params): Query<OwnerParams>,
) -> Result<Json<TurnBody>, ApiError> {
    let scope = principal.scope_of(params.user.as_deref())?;
    Ok(Json(app.store.turn(&scope, turn).await?.into()))
}

/// Cancel a turn
///
/// Responds at once. The connection to the provider is closed, the output so far is kept, and the turn ends as
/// `cancelled`. A turn that has already ended is not changed.
#[utoipa::path(
    post,
    path = "/api/v1/turns/{id}/cancel",
    operation_id = "cancel_turn",
    tag = "turns",
    params(("id" = uuid::Uuid, Path, description = "The turn.")),
    responses(
        (status = 202, description = "The state of the turn.", body = CancelResponse, example = json!({ "state": "cancelling" })),
        (status = 403, description = "`forbidden`: the key or token lacks the scope chat, or a scope for the agent."),
    ),
)]
async fn cancel(
    State(app): State<App>,
    principal: Principal,
    Id(turn): Id<TurnId>,
) -> Result<(StatusCode, Json<CancelResponse>), ApiError> {
    permitted_agent::check_stop(&app, &principal, turn).await?;
    let state = match app.service.cancel(&principal.scope, turn).await?.state() {
        Some(state) => state,
        None => app.store.turn(&principal.scope, turn).await?.state,
    };
    Ok((StatusCode::ACCEPTED, Json(CancelResponse { state })))
}

/// The result of a request to cancel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CancelResponse {
    /// `cancelling` if the turn is about to end, `cancelled` if it had not started, otherwise the status with which it
    /// had already ended.
    #[schema(value_type = String)]
    pub state: TurnState,
}
