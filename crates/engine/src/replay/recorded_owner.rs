//! The owners of a stored turn.

use turnkit_core::{EventKind, TurnEvent};

/// One owner of a stored turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Owner {
    /// The last event before it.
    pub(super) begins_after: u32,
    /// The last event that it made durable, if another owner follows.
    pub(super) dies_after: Option<u32>,
}

impl Owner {
    /// Returns the step and the attempt in which the owner handed over the turn. The log of such an owner ends with a
    /// retraction that is not its first event: a retraction at the beginning withdraws the output of the previous
    /// owner.
    pub(super) fn handed_over(self, stored: &[TurnEvent]) -> Option<(u16, u16)> {
        let last = self.dies_after.filter(|last| *last > self.begins_after + 1)?;
        let at = stored.iter().position(|event| event.seq == last)?;
        let EventKind::Retracted { attempt, .. } = &stored[at].kind else { return None };
        let step = stored[..at].iter().rev().find_map(|event| match &event.kind {
            EventKind::StepStarted { step, .. } => Some(*step),
            EventKind::ToolFinished { uid, .. } => Some(uid.step.saturating_add(1)),
            _ => None,
        });
        Some((step.unwrap_or(1), attempt.saturating_sub(1)))
    }
}
