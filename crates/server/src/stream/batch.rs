//! Events that were read and are not told yet.

use turnkit_core::TurnEvent;

/// The most events whose room an idle stream keeps.
const ROOM_KEPT: usize = 4;

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

    /// Whether all is told.
    pub(super) fn is_told(&self) -> bool {
        self.told == self.events.len()
    }

    /// Where to read more into, once all is told.
    pub(super) fn room(&mut self) -> &mut Vec<TurnEvent> {
        self.told = 0;
        self.events.clear();
        self.events.shrink_to(ROOM_KEPT);
        &mut self.events
    }
}
