//! Events that were read from the log and are not yet encoded.

use std::task::Poll;

use turnkit_core::{Tail, TurnEvent};

/// The largest event capacity that an idle stream keeps.
const IDLE_CAPACITY: usize = 2;

/// Events in order, encoded from the front.
#[derive(Default)]
pub(super) struct Batch {
    events: Vec<TurnEvent>,
    encoded: usize,
}

impl Batch {
    /// Returns the next event to encode.
    pub(super) fn next(&mut self) -> Option<&TurnEvent> {
        let next = self.events.get(self.encoded)?;
        self.encoded += 1;
        Some(next)
    }

    /// Reports whether every event of the batch was returned and the log had no more: a full batch may be only the
    /// first part.
    pub(super) fn is_all(&self) -> bool {
        self.encoded == self.events.len() && self.encoded < Tail::MAX_AT_ONCE as usize
    }

    /// Refills the batch, once all of its events were returned. If no event is available, frees most of the batch's
    /// memory.
    pub(super) fn refill<T>(&mut self, read: impl FnOnce(&mut Vec<TurnEvent>) -> Poll<T>) -> Poll<T> {
        self.encoded = 0;
        self.events.clear();
        let update = read(&mut self.events);
        if update.is_pending() {
            self.events.shrink_to(IDLE_CAPACITY);
        }
        update
    }
}
