//! A turn in the form in which its log is stored.

use std::sync::Arc;

use super::{Chunk, Walk};
use crate::{ClientCaps, Entry, SessionId, TraceId, TurnEvent, TurnId};

/// The log of one turn, with the messages that it refers to.
#[derive(Debug, Clone)]
pub struct LoggedTurn {
    /// The session.
    pub session: SessionId,
    /// The turn.
    pub turn: TurnId,
    /// The number of the turn in its session.
    pub number: u32,
    /// The capabilities of the client that requested the turn.
    pub caps: ClientCaps,
    /// The messages of the turn, the user's first. A queued turn has only that one.
    pub messages: Vec<Arc<Entry>>,
    /// The log of the turn, in order.
    pub chunks: Vec<Chunk>,
}

impl LoggedTurn {
    /// Returns the caller's trace, if the client sent one.
    fn caller_trace(&self) -> Option<TraceId> {
        self.chunks.first()?.entries.first()?.trace()
    }
}

/// Returns the events of a stored turn after number `after`, exactly as they were sent live.
pub fn replay(turn: &LoggedTurn, after: u32) -> Vec<TurnEvent> {
    let mut walk = Walk::after(after);
    let trace = turn.caller_trace().unwrap_or(TraceId::of(turn.turn));
    let mut events = Vec::new();
    for chunk in turn.chunks.iter().filter(|chunk| chunk.to_seq > after) {
        let (mut first, mut before) = (chunk.from_seq, None);
        for entry in &chunk.entries {
            let about = (turn.session, trace);
            walk.expand((first, chunk.fence), (before, entry), None, about, &turn.messages, &mut events);
            first = first.saturating_add(entry.events());
            before = Some(entry);
        }
    }
    events
}
