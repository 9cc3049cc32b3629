//! Staging the entries of a log, making them visible, and marking them as stored.

use std::sync::Arc;

use super::{Chunk, LogEntry, Slot, TurnLog};
use crate::{Entry, Recorded, Timestamp};

/// A position at the end of a log, for a later [`unstage`](TurnLog::unstage). The default is the beginning of the log.
#[derive(Debug, Clone, Copy, Default)]
pub struct StagingMark {
    slots: usize,
    messages: usize,
}

impl TurnLog {
    /// Appends an entry that is not visible yet.
    pub fn stage(&mut self, at: Timestamp, kind: Recorded) {
        let first = self.last_seq().saturating_add(1);
        self.slots.push(Slot { first, fence: self.fence, entry: LogEntry { at, kind } });
    }

    /// Adds a message for staged entries to refer to. Returns its index in the turn.
    pub fn stage_message(&mut self, message: Arc<Entry>) -> u32 {
        self.messages.push(message);
        u32::try_from(self.messages.len() - 1).unwrap_or(u32::MAX)
    }

    /// Returns a mark of the current end. [`unstage`](Self::unstage) removes everything that is staged after it.
    pub fn mark(&self) -> StagingMark {
        StagingMark { slots: self.slots.len(), messages: self.messages.len() }
    }

    /// Removes the entries and messages that were staged after `mark` and are not visible.
    pub fn unstage(&mut self, mark: StagingMark) {
        self.slots.truncate(mark.slots.max(self.visible));
        self.messages.truncate(mark.messages.max(self.visible_messages));
    }

    /// Makes staged entries visible before they are durable, as intended for provisional events.
    pub fn reveal(&mut self) {
        self.visible = self.slots.len();
        self.visible_messages = self.messages.len();
    }

    /// Marks all entries as stored and makes them visible.
    pub fn commit(&mut self) {
        self.reveal();
        self.durable = self.slots.len();
    }

    /// Returns the entries that are not stored yet, including staged ones.
    pub fn pending(&self) -> Chunk {
        let slots = &self.slots[self.durable..];
        Chunk {
            fence: self.fence,
            from_seq: slots.first().map_or(self.last_seq().saturating_add(1), |slot| slot.first),
            to_seq: self.last_seq(),
            entries: slots.iter().map(|slot| slot.entry.clone()).collect(),
        }
    }
}
