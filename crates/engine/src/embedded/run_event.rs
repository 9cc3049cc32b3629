//! The events of a turn for hosts.

use turnkit_core::{EventKind, NewWait, PartId, PartKind, Str, ToolProgress, TurnEvent};

/// An event of a run. A host should handle every variant: text arrives in deltas, and a waiting turn has no
/// `turn.ended` until the host has decided.
#[derive(Debug, Clone, PartialEq)]
pub enum RunEvent {
    /// A piece of the answer.
    Delta {
        /// The kind of the part: visible text, reasoning, or the arguments of a call.
        kind: PartKind,
        /// The part that the piece is appended to.
        id: PartId,
        /// The piece.
        text: Str,
        /// The number of the event in the turn.
        seq: u32,
    },
    /// Any other event of the turn.
    Event(TurnEvent),
    /// Progress reported by a running call.
    Progress(ToolProgress),
    /// The waits of the turn, which the host decides with [`Engine::resume`](crate::Engine::resume). Always the last
    /// event.
    Waiting(Vec<NewWait>),
}

/// Converts the events of one turn for hosts: each piece of an answer gets the kind of its part.
#[derive(Debug, Clone, Default)]
pub struct OpenParts(Vec<(PartId, PartKind)>);

impl OpenParts {
    /// Converts the next event of the turn. Every event of the turn must be passed exactly once, in order.
    pub fn run_event(&mut self, event: TurnEvent) -> RunEvent {
        let Self(open) = self;
        let TurnEvent { seq, fence, at, kind } = event;
        match &kind {
            EventKind::PartStarted { id, kind, .. } => open.push((*id, *kind)),
            EventKind::PartEnded { id, .. } => open.retain(|(open, _)| open != id),
            // An interrupted answer leaves parts without an end, and the next answer reuses their ids.
            EventKind::StepStarted { .. } => open.clear(),
            _ => {}
        }
        match kind {
            EventKind::PartDelta { id, text } => match open.iter().find(|(open, _)| *open == id) {
                Some((_, kind)) => RunEvent::Delta { kind: *kind, id, text, seq },
                // The host started to read after the part had begun.
                None => RunEvent::Event(TurnEvent { seq, fence, at, kind: EventKind::PartDelta { id, text } }),
            },
            kind => RunEvent::Event(TurnEvent { seq, fence, at, kind }),
        }
    }
}
