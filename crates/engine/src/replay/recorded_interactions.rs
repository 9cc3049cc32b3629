//! What a stored turn waited for, and how that was decided.

use std::collections::HashMap;

use turnkit_core::{
    Decision, Denial, EventKind, InteractionDecision, InteractionRequest, NewWait, Resolution, TurnEvent, WaitId,
    WaitQuestion,
};

/// The interactions of a stored turn.
pub(super) struct RecordedInteractions {
    requests: HashMap<WaitId, InteractionRequest>,
    decisions: HashMap<WaitId, Resolution>,
}

impl RecordedInteractions {
    pub(super) fn of(stored: &[TurnEvent]) -> Self {
        let (mut requests, mut decisions) = (HashMap::new(), HashMap::new());
        for event in stored {
            match &event.kind {
                EventKind::InteractionRequested { request } => drop(requests.insert(request.id, (**request).clone())),
                EventKind::InteractionResolved { id, decision } if !ended_with_turn(decision) => {
                    decisions.insert(*id, (**decision).clone().into());
                }
                _ => {}
            }
        }
        Self { requests, decisions }
    }

    /// The wait as it was requested: its reason and its time are those of then.
    pub(super) fn request(&self, id: WaitId, now: NewWait) -> NewWait {
        let Some(InteractionRequest { reason, preview, expires_at, .. }) = self.requests.get(&id).cloned() else {
            return now;
        };
        NewWait { question: WaitQuestion { reason, preview, ..now.question }, expires_at, ..now }
    }

    /// The decisions of these waits, if they were decided.
    pub(super) fn decisions(&self, waits: &[NewWait]) -> Vec<Decision> {
        waits.iter().filter_map(|wait| Some(wait.decided(self.decisions.get(&wait.id)?.clone()))).collect()
    }
}

/// Whether a wait was not decided before its turn ended.
pub(super) fn ended_with_turn(decision: &InteractionDecision) -> bool {
    matches!(decision.by, Some(Denial::Cancelled | Denial::Superseded))
}
