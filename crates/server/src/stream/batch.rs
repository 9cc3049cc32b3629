//! Events that were read and are not told yet.

use std::task::Poll;

use turnkit_core::{Tail, TurnEvent};

/// The most events whose room an idle stream keeps.
const ROOM_KEPT: usize = 2;

/// Events in order, told from the front.
#[derive(Default)]
pub(super) struct Batch {
    events: Vec<TurnEvent>,
    told: usize,
}

impl Batch {
    /// The next event to tell.
    pub(super) fn next(&mut self) -> Option<&TurnEvent> {
        let next = self.events.get(self.told)?;
        self.told += 1;
        Some(next)
    }

    /// Whether all is told, and was all there was: of much the first part is read.
    pub(super) fn is_all(&self) -> bool {
        self.told == self.events.len() && self.told < Tail::MOST_AT_ONCE as usize
    }

    /// Reads more, once all is told. While nothing comes the stream keeps little room.
    pub(super) fn refill<T>(&mut self, read: impl FnOnce(&mut Vec<TurnEvent>) -> Poll<T>) -> Poll<T> {
        self.told = 0;
        self.events.clear();
        let news = read(&mut self.events);
        if news.is_pending() {
            self.events.shrink_to(ROOM_KEPT);
        }
        news
    }
}
