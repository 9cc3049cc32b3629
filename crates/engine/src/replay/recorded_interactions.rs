//! The recorded waits of a stored turn, and their decisions.

use std::collections::HashMap;

use turnkit_core::{
    CallUid, ChildTurn, DecidedWait, Denial, EventKind, InteractionRequest, InteractionResolution, NewWait, Resolution,
    TurnEvent, WaitId, WaitKind, WaitQuestion,
};

use crate::machine::ToolRequest;
use crate::permission::Reason;

/// The interactions of a stored turn.
pub(super) struct RecordedInteractions {
    /// The requests, each with the number of its event.
    requests: HashMap<WaitId, (InteractionRequest, u32)>,
    decisions: HashMap<WaitId, Resolution>,
}

impl RecordedInteractions {
    pub(super) fn from_events(stored: &[TurnEvent]) -> Self {
        let (mut requests, mut decisions) = (HashMap::new(), HashMap::new());
        for event in stored {
            match &event.kind {
                EventKind::InteractionRequested { request } => {
                    requests.insert(request.id, ((**request).clone(), event.seq));
                }
                EventKind::InteractionResolved { id, decision } if !ended_with_turn(decision) => {
                    decisions.insert(*id, (**decision).clone().into());
                }
                _ => {}
            }
        }
        Self { requests, decisions }
    }

    /// Returns the wait with its recorded reason and time.
    pub(super) fn request(&self, id: WaitId, now: NewWait) -> NewWait {
        let Some((request, _)) = self.requests.get(&id).cloned() else { return now };
        let InteractionRequest { reason, preview, question, child, expires_at, .. } = request;
        NewWait { question: WaitQuestion { reason, preview, question, child, ..now.question }, expires_at, ..now }
    }

    /// Returns the question of a tool, and the number of its event. The prompt of a sub-agent is not recorded; it is
    /// not needed, because no sub-agent is started.
    pub(super) fn asked(&self, id: WaitId) -> Option<(ToolRequest, u32)> {
        let (request, seq) = self.requests.get(&id)?;
        let tool_request = match (&request.question, &request.child) {
            (Some(question), _) => ToolRequest::Question(question.clone()),
            (None, Some(child)) => {
                ToolRequest::Turn(Box::new(ChildTurn { agent: Some(child.agent.clone()), ..ChildTurn::new("") }))
            }
            (None, None) => return None,
        };
        Some((tool_request, *seq))
    }

    /// Reports whether a person was asked to approve a call.
    pub(super) fn asked_to_approve(&self, call: CallUid) -> bool {
        self.requests.values().any(|(request, _)| request.uid == call && request.kind == WaitKind::Approval)
    }

    /// Reports whether a person was asked to approve a call because the definition of its tool, or of another one, had
    /// changed.
    pub(super) fn asked_as_changed(&self, call: CallUid) -> bool {
        let reasons = [Reason::ToolChanged, Reason::OtherToolChanged].map(Reason::of_question);
        let mut requests = self.requests.values().map(|(request, _)| request);
        requests.any(|it| it.uid == call && it.kind == WaitKind::Approval && reasons.contains(&it.reason))
    }

    /// Returns the decisions of these waits, as far as they were decided.
    pub(super) fn decisions(&self, waits: &[NewWait]) -> Vec<DecidedWait> {
        waits.iter().filter_map(|wait| Some(wait.decided(self.decisions.get(&wait.id)?.clone()))).collect()
    }
}

/// Reports whether the end of the turn closed a wait without a decision.
pub(super) fn ended_with_turn(decision: &InteractionResolution) -> bool {
    matches!(decision.by, Some(Denial::Cancelled | Denial::Superseded))
}
