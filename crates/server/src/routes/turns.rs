//! Turns: each runs from one user input to one terminal event.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use turnkit_core::ports::{TurnList, TurnPage};
use turnkit_core::{
    AccessScope, Cost, SessionId, Timestamp, TraceId, TurnId, TurnKind, TurnRecord, TurnState, UnknownTurnState,
};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::routes;

use super::extract::{Id, Query};
use super::list::{Limit, List, id_filter, list_error};
use super::schema::{CostSchema, UsageSchema};
use super::scoped::ScopedRouter;
use crate::app::App;
use crate::auth::Principal;
use crate::dialect::native::UsageBody;
use crate::error::ApiError;
use crate::permitted_agent;

pub(crate) fn router() -> ScopedRouter {
    ScopedRouter::new()
        .routes(AccessScope::Read, routes!(list))
        .routes(AccessScope::Read, routes!(show))
        .routes(AccessScope::Chat, routes!(cancel))
}

/// A turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TurnBody {
    /// The id of the turn.
    #[schema(value_type = uuid::Uuid)]
    pub id: TurnId,
    /// The turn's session.
    #[schema(value_type = uuid::Uuid)]
    pub session_id: SessionId,
    /// The turn's number in the session, from 1.
    pub number: u32,
    /// The agent that responds.
    pub agent: String,
    /// The state of the turn, or the status with which it ended.
    #[schema(value_type = String, example = "completed")]
    pub state: TurnState,
    /// When the turn was accepted.
    #[schema(value_type = String, format = DateTime)]
    pub accepted_at: Timestamp,
    /// When the turn ended.
    #[schema(required, value_type = Option<String>, format = DateTime)]
    pub ended_at: Option<Timestamp>,
    /// The usage of the turn, once it has ended. Absent if it never started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<UsageSchema>)]
    pub usage: Option<UsageBody>,
    /// The cost of that usage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<CostSchema>)]
    pub cost: Option<Cost>,
    /// The turn that this turn continues. Turns that continue the same turn are sibling branches. `null` if this turn
    /// started without history, or if it was queued to continue the head and has not started.
    #[serde(default)]
    #[schema(required, value_type = Option<uuid::Uuid>)]
    pub after: Option<TurnId>,
    /// The trace of the turn: that of the caller's `traceparent`, or else one whose id is that of the turn.
    #[schema(value_type = String, min_length = 32, max_length = 32)]
    pub trace_id: TraceId,
    /// The purpose of a turn that does not respond to a message: `compact` or `title`.
    #[serde(default, skip_serializing_if = "TurnKind::is_message")]
    #[schema(value_type = Option<String>)]
    pub kind: TurnKind,
    /// Whether the turn waits in the queue with a message for the running turn, which takes the message if it can.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub steering: bool,
    /// The turn that took the message of this turn as steering. If present, this turn never started, and is
    /// `completed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<uuid::Uuid>)]
    pub steered_into: Option<TurnId>,
    /// The parent turn, if this is the turn of a sub-agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<uuid::Uuid>)]
    pub parent_turn_id: Option<TurnId>,
}

impl From<TurnRecord> for TurnBody {
    fn from(turn: TurnRecord) -> Self {
        let TurnRecord {
            id,
            session,
            number,
            agent,
            state,
            accepted_at,
            ended_at,
            usage,
            owner: _,
            after,
            trace,
            kind,
            steering,
            steered_into,
            parent,
            outline: _,
        } = turn;
        Self {
            id,
            session_id: session,
            number,
            agent: agent.into(),
            state,
            accepted_at,
            ended_at,
            cost: usage.as_ref().map(|usage| usage.cost),
            usage: usage.as_ref().map(UsageBody::of),
            after,
            trace_id: trace,
            kind,
            steering,
            steered_into,
            parent_turn_id: parent,
        }
    }
}

/// The result of a request to cancel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CancelResponse {
    /// `cancelling` if the turn is about to end, `cancelled` if it had not started, otherwise the status with which it
    /// had already ended.
    #[schema(value_type = String)]
    pub state: TurnState,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListParams {
    /// Only turns of this session.
    #[param(value_type = Option<uuid::Uuid>)]
    session: Option<String>,
    /// Only turns in this state: `queued`, `running`, `waiting`, `cancelling`, or ended with `completed`, `failed`,
    /// `cancelled`, `limit`, `interrupted`, `expired`.
    state: Option<String>,
    /// Turns of this user instead of the caller's. For callers with the scope `admin`, and for every
    /// caller if no key is required.
    user: Option<String>,
    /// The largest number of items to return, up to 200.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200, default = 50)]
    limit: Option<String>,
    /// The `next` of the previous page.
    cursor: Option<String>,
}

/// List turns
///
/// Most recently accepted first. If turns in the requested state are rare, a page may have fewer turns than requested,
/// or none, and still have a `next`.
#[utoipa::path(
    get,
    path = "/api/v1/turns",
    operation_id = "list_turns",
    tag = "turns",
    params(ListParams),
    responses(
        (status = 200, description = "A page of the list.", body = List<TurnBody>, example = json!({
            "data": [shown()], "next": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01",
        })),
        (status = 403, description = "`forbidden`: the key or token lacks the scope read, or the scope admin for another \
                                      user's data."),
        (status = 404, description = "`not_found`: there is no such session, or the cursor does not belong to this list."),
    ),
)]
async fn list(
    State(app): State<App>,
    principal: Principal,
    Query(params): Query<ListParams>,
) -> Result<Json<List<TurnBody>>, ApiError> {
    let scope = principal.scope_of(params.user.as_deref())?;
    let limit = Limit::read(params.limit.as_deref())?;
    let unknown = |error: UnknownTurnState| ApiError::field("state", error.to_string());
    let page = TurnPage {
        session: id_filter("session", params.session)?,
        state: params.state.map(|state| state.parse().map_err(unknown)).transpose()?,
        limit: limit.shown(),
        after: params.cursor.map(|id| id.parse().map_err(|_| ApiError::not_found())).transpose()?,
    };
    let only = (page.session.is_some() && page.after.is_none()).then_some("session");
    let found = app.store.turns(&scope, page).await;
    let TurnList { turns, unreadable, next } = found.map_err(|error| list_error(error, only))?;
    let data = turns.into_iter().map(TurnBody::from).collect();
    Ok(Json(List { data, next: next.map(|turn| turn.to_string()), unreadable }))
}

/// Show a turn
#[utoipa::path(
    get,
    path = "/api/v1/turns/{id}",
    operation_id = "show_turn",
    tag = "turns",
    params(("id" = uuid::Uuid, Path, description = "The turn.")),
    responses((status = 200, description = "The turn.", body = TurnBody, example = json!(shown()))),
)]
async fn show(State(app): State<App>, principal: Principal, Id(turn): Id<TurnId>) -> Result<Json<TurnBody>, ApiError> {
    Ok(Json(app.store.turn(&principal.scope, turn).await?.into()))
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

/// Returns an example of a turn for the OpenAPI document.
fn shown() -> Value {
    json!({
        "id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01",
        "session_id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a02",
        "number": 1,
        "agent": "assistant",
        "state": "completed",
        "accepted_at": "2026-01-01T12:00:00.000Z",
        "ended_at": "2026-01-01T12:00:04.000Z",
        "usage": { "fresh": 12, "cache_read": 0, "cache_write": 0, "output": 5, "reasoning": 0, "unmetered_calls": 0 },
        "cost": { "nano_usd": 13_000, "unpriced_calls": 0 },
        "after": null,
        "trace_id": "0199a1f05d1c7cc09d8e2f8f4c1b7a01",
    })
}
