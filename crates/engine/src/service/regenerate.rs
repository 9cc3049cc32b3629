//! Regenerating an answer: a new turn beside an earlier one, with the same user message.

use turnkit_core::ports::MessagePage;
use turnkit_core::{
    AcceptError, AgentReach, BranchPoint, ClientCaps, Idempotency, Message, Role, SamplingParams, Scope, SessionKey,
    StoreError, ToolUse, TraceId, TurnId, TurnKind, TurnRecord, TurnRoute,
};

use super::accept::Purpose;
use super::{Receipt, TurnRequest, TurnService};

/// A request to answer the message of an earlier turn again.
#[derive(Debug, Clone)]
pub struct RegenerateRequest {
    /// The turn. It must have ended, and does not change.
    pub turn: TurnId,
    /// The agent that answers. If absent, the turn's agent if it still exists, else the session's.
    pub agent: Option<String>,
    /// Constraints on the provider and model. If absent, the agent's own route applies.
    pub route: Option<TurnRoute>,
    /// Sampling settings of the new turn. Those of the earlier turn do not apply.
    pub params: SamplingParams,
    /// Whether the new turn may use tools; absent: the session's setting.
    pub tools: Option<ToolUse>,
    /// The mode of the new turn; absent: the session's mode.
    pub mode: Option<Box<str>>,
    /// The capabilities of the client.
    pub caps: ClientCaps,
    /// The agents whose turns may be stopped for the new one.
    pub reach: AgentReach,
    /// Makes a repeated request return the turn of the first one.
    pub idempotency: Option<Idempotency>,
    /// The caller's trace; absent: the new turn starts its own trace.
    pub trace: Option<TraceId>,
}

impl TurnService {
    /// Accepts a turn that continues the same turn as `request.turn` does, with the same message. The new turn becomes
    /// the head of the session when it begins.
    ///
    /// # Errors
    /// The turn has not ended or has no user message; otherwise see [`accept`](Self::accept). Nothing is stored.
    pub async fn regenerate(&self, scope: &Scope, request: RegenerateRequest) -> Result<Receipt, AcceptError> {
        let (turn, message) = match self.finished_turn(scope, request.turn).await {
            Ok(found) => found,
            Err(refusal) => return self.accepted_before(scope, request.idempotency.as_ref()).await?.ok_or(refusal),
        };
        let of_turn = || Some(turn.agent.to_string()).filter(|agent| self.agent(agent).is_some());
        let request = TurnRequest {
            session: SessionKey::Id(turn.session),
            agent: request.agent.or_else(of_turn),
            route: request.route,
            params: request.params,
            tools: request.tools,
            mode: request.mode,
            client_tools: Vec::new(),
            message,
            // The message already has them.
            files: Vec::new(),
            context: None,
            caps: request.caps,
            busy: None,
            reach: request.reach,
            idempotency: request.idempotency,
            after: turn.after.map_or(BranchPoint::Beginning, BranchPoint::After),
            trace: request.trace,
        };
        self.accept_valid(scope, request, Purpose::OfUser(TurnKind::Message)).await
    }

    /// Returns a finished turn and its user message.
    async fn finished_turn(&self, scope: &Scope, turn: TurnId) -> Result<(TurnRecord, Message), AcceptError> {
        let parts = &self.inner.parts;
        let turn = parts.store.turn(scope, turn).await.map_err(|error| match error {
            StoreError::NotFound => AcceptError::NotFound("turn"),
            error => error.into(),
        })?;
        if turn.ended_at.is_none() {
            return Err(AcceptError::TurnNotEnded);
        }
        let first = MessagePage { limit: 1, before: Some((turn.number, 1)), context: false };
        let said = parts.store.message_page(scope, turn.session, first).await?;
        let is_asked = |message: &Message| message.role == Role::User && !message.is_notices_only();
        let said = said.into_iter().find(|said| said.turn == turn.id && is_asked(&said.message));
        match said {
            Some(said) => Ok((turn, said.message)),
            None => {
                let reason =
                    "the turn has no user message to answer again: start a turn with the message instead".to_owned();
                Err(AcceptError::Invalid { field: "id", reason })
            }
        }
    }
}
