//! A turn as its log tells it.

use std::sync::Arc;

use super::{Chunk, Walk};
use crate::{ClientCaps, Entry, SessionId, TraceId, TurnEvent, TurnId};

/// The log of one turn with the messages it refers to.
#[derive(Debug, Clone)]
pub struct LoggedTurn {
    /// The session.
    pub session: SessionId,
    /// The turn.
    pub turn: TurnId,
    /// Its number in the session.
    pub number: u32,
    /// What the client that asked for it can do.
    pub caps: ClientCaps,
    /// Its messages, the user's first. A queued turn has only that one.
    pub messages: Vec<Arc<Entry>>,
    /// Its log, in order.
    pub chunks: Vec<Chunk>,
}

impl LoggedTurn {
    /// The caller's trace, if the client named one.
    fn caller_trace(&self) -> Option<TraceId> {
        self.chunks.first()?.entries.first()?.trace()
    }
}

/// The events of a stored turn after number `after`, exactly as they were shown live.
pub fn replay(turn: &LoggedTurn, after: u32) -> Vec<TurnEvent> {
    let mut walk = Walk::after(after);
    let trace = turn.caller_trace().unwrap_or(TraceId::of(turn.turn));
    let mut events = Vec::new();
    for chunk in turn.chunks.iter().filter(|chunk| chunk.to_seq > after) {
        let mut first = chunk.from_seq;
        for entry in &chunk.entries {
            walk.expand((first, chunk.fence), entry, None, (turn.session, trace), &turn.messages, &mut events);
            first = first.saturating_add(entry.events());
        }
    }
    events
}
