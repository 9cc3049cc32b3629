//! A turn in a response.

use serde::{Deserialize, Serialize};
use turnkit_core::{
    AnsweringModel, Cost, Scope, SessionId, Timestamp, TraceId, TurnId, TurnKind, TurnOverview, TurnRecord, TurnState,
};
use utoipa::ToSchema;

use crate::auth::Principal;
use crate::dialect::native::UsageBody;
use crate::routes::schema::{CostSchema, UsageSchema};

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
    pub(super) fn shown_to(mut self, principal: &Principal, scope: &Scope) -> Self {
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
