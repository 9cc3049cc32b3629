//! The events of a turn as hosts read them.

use turnkit_core::{EventKind, NewWait, PartId, PartKind, Str, ToolProgress, TurnEvent};

/// What a host reads. A loop over a run handles all of these: text is shown from deltas, and a turn that waits has no
/// `turn.ended` before the host has decided.
#[derive(Debug, Clone, PartialEq)]
pub enum RunEvent {
    /// A piece of the answer.
    Delta {
        /// What it is a piece of: visible text, reasoning, or the arguments of a call.
        kind: PartKind,
        /// The part that grows.
        id: PartId,
        /// The piece.
        text: Str,
        /// Its number in the turn, as of any event.
        seq: u32,
    },
    /// Anything else that happened in the turn.
    Turn(TurnEvent),
    /// A call that runs has reported how far it has come.
    Progress(ToolProgress),
    /// The turn waits until the host decides these with [`Engine::resume`](crate::Engine::resume). Always last.
    Waiting(Vec<NewWait>),
}

/// Turns the events of one turn into what hosts read: pieces of an answer say of what kind of part they are.
#[derive(Debug, Clone, Default)]
pub struct GrowingParts(Vec<(PartId, PartKind)>);

impl GrowingParts {
    /// Returns the next event of the turn as hosts read it. Each event of the turn must be passed once, in order.
    pub fn run_event(&mut self, event: TurnEvent) -> RunEvent {
        let Self(growing) = self;
        let TurnEvent { seq, fence, at, kind } = event;
        match &kind {
            EventKind::PartStarted { id, kind, .. } => growing.push((*id, *kind)),
            EventKind::PartEnded { id, .. } => growing.retain(|(growing, _)| growing != id),
            // An answer that broke off leaves parts without an end, and the next one has the same ids.
            EventKind::StepStarted { .. } => growing.clear(),
            _ => {}
        }
        match kind {
            EventKind::PartDelta { id, text } => match growing.iter().find(|(growing, _)| *growing == id) {
                Some((_, kind)) => RunEvent::Delta { kind: *kind, id, text, seq },
                // The host began to read after the part had begun.
                None => RunEvent::Turn(TurnEvent { seq, fence, at, kind: EventKind::PartDelta { id, text } }),
            },
            kind => RunEvent::Turn(TurnEvent { seq, fence, at, kind }),
        }
    }
}
