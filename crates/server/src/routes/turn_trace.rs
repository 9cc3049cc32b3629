//! The trace of a turn: what took how long.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use turnkit_core::{AccessScope, Cost, Span, TurnId};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::extract::{Id, Query};
use super::schema::CostSchema;
use super::scoped::ScopedRouter;
use super::turns::OwnerParams;
use crate::app::App;
use crate::auth::Principal;
use crate::error::ApiError;

pub(super) fn router() -> ScopedRouter {
    ScopedRouter::new().routes(AccessScope::Read, routes!(show))
}

/// A part of a turn with its duration. Spans form a tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SpanBody {
    /// The id of the span, which no other span of the turn has.
    pub id: String,
    /// The id of the span that contains it. Absent for the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// `turn`; `step`: a model call with all that followed from its answer; `attempt`: one at that call, which failed or
    /// answered; `tool`: a call; `wait`: for a decision; `compaction`.
    pub kind: String,
    /// The agent of a turn, the model of a step or an attempt, the tool of a call, or the kind of a wait.
    pub name: String,
    /// The time from the acceptance of the turn to the start of the span, in milliseconds. Absent once the turn's events
    /// are no longer stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_ms: Option<u64>,
    /// The duration in milliseconds. Absent while the span has not ended, and if it is no longer known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
    /// The time from the start of the span to the first output of a model, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_ms: Option<u64>,
    /// The tokens of the model calls, input and output together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// The cost of the model calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<CostSchema>)]
    pub cost: Option<Cost>,
    /// The code of the failure, or how the turn ended unless it completed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl From<Span> for SpanBody {
    fn from(span: Span) -> Self {
        let Span { id, parent, kind, name, start_ms, ms, first_ms, tokens, cost, error } = span;
        let kind = kind.as_str().to_owned();
        Self { id, parent, kind, name, start_ms, ms, first_ms, tokens, cost, error }
    }
}

/// Show the trace of a turn
///
/// The spans of the turn so far, each after the one that contains it. The starts of failed attempts are not recorded:
/// they are shown one after the other from the start of their step.
#[utoipa::path(
    get,
    path = "/api/v1/turns/{id}/trace",
    operation_id = "show_turn_trace",
    tag = "turns",
    params(("id" = uuid::Uuid, Path, description = "The turn."), OwnerParams),
    responses((status = 200, description = "The spans.", body = Vec<SpanBody>, example = json!([
        {
            "id": "turn", "kind": "turn", "name": "assistant", "start_ms": 0, "ms": 4020, "first_ms": 900,
            "tokens": 1300, "cost": { "nano_usd": 13_000, "unpriced_calls": 0 },
        },
        {
            "id": "step.1", "parent": "turn", "kind": "step", "name": "gpt-5-mini", "start_ms": 0, "ms": 4000,
            "first_ms": 900, "tokens": 1300, "cost": { "nano_usd": 13_000, "unpriced_calls": 0 },
        },
        {
            "id": "step.1.failed.1", "parent": "step.1", "kind": "attempt", "name": "gpt-5", "start_ms": 0, "ms": 300,
            "error": "provider_rate_limited",
        },
    ]))),
)]
async fn show(
    State(app): State<App>,
    principal: Principal,
    Id(turn): Id<TurnId>,
    Query(params): Query<OwnerParams>,
) -> Result<Json<Vec<SpanBody>>, ApiError> {
    let scope = principal.scope_of(params.user.as_deref())?;
    let record = app.store.turn(&scope, turn).await?;
    let spans = app.service.turn_trace(&scope, &record).await?;
    Ok(Json(spans.into_iter().map(SpanBody::from).collect()))
}
