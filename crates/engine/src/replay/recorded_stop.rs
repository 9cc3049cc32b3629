//! The stop of a stored turn, and the point where it took effect.

use turnkit_core::{ErrorScope, EventKind, FinishReason, StopReason, TurnEvent, TurnStatus};

use crate::driver::Interruption;

/// The interruption that stopped a turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct RecordedStop {
    pub(super) why: Interruption,
    pub(super) step: u16,
    pub(super) attempt: u16,
    /// Whether the step's calls were running. Otherwise its model call was.
    pub(super) in_tools: bool,
}

impl RecordedStop {
    /// Returns the interruption that stopped the turn, from its last event, in an attempt at its last step.
    pub(super) fn from_events(stored: &[TurnEvent], attempt: u16) -> Option<Self> {
        let EventKind::TurnEnded { status, steps, .. } = &stored.last()?.kind else { return None };
        let why = match status {
            TurnStatus::Cancelled => Interruption::Stopped(StopReason::Cancelled),
            TurnStatus::Interrupted => Interruption::Stopped(StopReason::Superseded),
            TurnStatus::Expired => Interruption::Expired,
            TurnStatus::Completed | TurnStatus::Failed | TurnStatus::Limit => return None,
        };
        // If the step ended by itself or because its provider failed, it had ended before the turn was stopped.
        let ended =
            stored.iter().rposition(|event| matches!(&event.kind, EventKind::StepEnded { step, .. } if step == steps));
        let in_tools = ended.is_some_and(|at| {
            let finish = stored.get(at).map(|event| &event.kind);
            let broke_off = matches!(finish, Some(EventKind::StepEnded { finish: FinishReason::Interrupted, .. }));
            let failed = stored
                .get(at + 1)
                .is_some_and(|next| matches!(next.kind, EventKind::Error { scope: ErrorScope::Provider, .. }));
            !broke_off || failed
        });
        Some(Self { why, step: *steps, attempt, in_tools })
    }
}
