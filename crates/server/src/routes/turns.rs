//! Turns: each runs from one user input to one terminal event.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use turnkit_core::ports::{TurnFilter, TurnList, TurnPage};
use turnkit_core::{
    AccessScope, AnsweringModel, Cost, Scope, SessionId, Timestamp, TraceId, TurnId, TurnKind, TurnOverview,
    TurnRecord, TurnState, UnknownTurnState,
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
    /// In lists: what the turn did.
    #[serde(flatten)]
    #[schema(value_type = TurnOverviewBody)]
    pub overview: Option<TurnOverviewBody>,
}

/// What lists show of a turn besides its state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TurnOverviewBody {
    /// The title of the session.
    #[schema(required = false)]
    pub title: String,
    /// The models that answered, each once. Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<AnsweringModelBody>,
    /// The provider of the last of `models`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// The name of the last of `models`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The code of the first error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The time from the acceptance of the turn to its first answer, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_ms: Option<u64>,
    /// The number of model calls that began to answer.
    #[schema(required = false)]
    pub steps: u32,
    /// The number of tool calls that ended.
    #[schema(required = false)]
    pub calls: u32,
}

/// A model that answered in a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AnsweringModelBody {
    /// The provider.
    pub provider: String,
    /// The model.
    pub model: String,
}

impl From<TurnOverview> for TurnOverviewBody {
    fn from(overview: TurnOverview) -> Self {
        let TurnOverview { title, models, error, first_ms, steps, calls } = overview;
        let models: Vec<_> = models.into_iter().map(AnsweringModelBody::from).collect();
        let last = models.last().cloned();
        let (provider, model) = last.map(|last| (last.provider, last.model)).unzip();
        Self { title: title.into(), models, provider, model, error: error.map(Into::into), first_ms, steps, calls }
    }
}

impl From<AnsweringModel> for AnsweringModelBody {
    fn from(answered: AnsweringModel) -> Self {
        let AnsweringModel { provider, model } = answered;
        Self { provider: provider.into(), model: model.into() }
    }
}

impl TurnBody {
    /// Leaves out the title of another user's session: it is made of the user's words.
    fn shown_to(mut self, principal: &Principal, scope: &Scope) -> Self {
        if let Some(overview) = self.overview.as_mut().filter(|_| *scope != principal.scope) {
            overview.title.clear();
        }
        self
    }
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
            overview,
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
            overview: overview.map(|overview| (*overview).into()),
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
    /// Only turns of this agent.
    agent: Option<String>,
    /// Only turns in which this provider answered. With `model`, it answered with that model.
    provider: Option<String>,
    /// Only turns in which this model answered.
    model: Option<String>,
    /// Only turns whose first error has this code.
    error: Option<String>,
    /// Only turns that were accepted at this time or later.
    #[param(value_type = Option<String>, format = DateTime)]
    from: Option<String>,
    /// Only turns that were accepted before this time.
    #[param(value_type = Option<String>, format = DateTime)]
    to: Option<String>,
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
/// Most recently accepted first. If turns that meet all conditions are rare, a page may have fewer turns than
/// requested, or none, and still have a `next`.
#[utoipa::path(
    get,
    path = "/api/v1/turns",
    operation_id = "list_turns",
    tag = "turns",
    params(ListParams),
    responses(
        (status = 200, description = "A page of the list.", body = List<TurnBody>, example = json!({
            "data": [listed()], "next": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01",
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
        filter: TurnFilter {
            agent: params.agent.map(Into::into),
            provider: params.provider.map(Into::into),
            model: params.model.map(Into::into),
            error: params.error.map(Into::into),
            from: time("from", params.from)?,
            to: time("to", params.to)?,
        },
        overviews: true,
    };
    let only = (page.session.is_some() && page.after.is_none()).then_some("session");
    let found = app.store.turns(&scope, page).await;
    let TurnList { turns, unreadable, next } = found.map_err(|error| list_error(error, only))?;
    let data = turns.into_iter().map(|turn| TurnBody::from(turn).shown_to(&principal, &scope)).collect();
    Ok(Json(List { data, next: next.map(|turn| turn.to_string()), unreadable }))
}

/// Reads the parameter `name`, which is a time.
fn time(name: &'static str, text: Option<String>) -> Result<Option<Timestamp>, ApiError> {
    let read = |text: String| {
        let time = Timestamp::from_rfc3339(&text);
        time.ok_or_else(|| ApiError::field(name, "must be a time such as 2026-01-01T12:00:00Z"))
    };
    text.map(read).transpose()
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
    responses((status = 200, description = "The turn.", body = TurnBody, example = json!(shown()))),
)]
async fn show(
    State(app): State<App>,
    principal: Principal,
    Id(turn): Id<TurnId>,
    Query(params): Query<OwnerParams>,
) -> Result<Json<TurnBody>, ApiError> {
    let scope = principal.scope_of(params.user.as_deref())?;
    let turn = TurnBody::from(app.store.turn(&scope, turn).await?);
    Ok(Json(turn.shown_to(&principal, &scope)))
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

/// Returns an example of a turn in a list for the OpenAPI document.
fn listed() -> Value {
    let mut turn = shown();
    let overview = json!({
        "title": "A week in Lisbon",
        "models": [{ "provider": "main", "model": "gpt-5-mini" }],
        "provider": "main",
        "model": "gpt-5-mini",
        "first_ms": 640,
        "steps": 2,
        "calls": 1,
    });
    if let (Some(turn), Value::Object(overview)) = (turn.as_object_mut(), overview) {
        turn.extend(overview);
    }
    turn
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
