//! Logs of ended turns that were read from the store, shared by all who follow them at the same time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use turnkit_core::{LiveTurn, TurnId, TurnLog};

/// The logs that somebody follows, kept by their followers: the table itself holds none.
#[derive(Default)]
pub(super) struct Restored {
    table: Mutex<HashMap<TurnId, Weak<LiveTurn>>>,
}

impl Restored {
    /// The turn's log, if somebody follows it.
    pub(super) fn find(&self, turn: TurnId) -> Option<Arc<LiveTurn>> {
        self.lock().get(&turn).and_then(Weak::upgrade)
    }

    /// Shares a log that was read. One that has ended stays as it is; any other one is only how things stood when it was
    /// read, and is not shared. If somebody else was faster, theirs is given.
    pub(super) fn share(&self, turn: TurnId, log: Arc<LiveTurn>) -> Arc<LiveTurn> {
        if !log.read(TurnLog::has_ended) {
            return log;
        }
        let mut table = self.lock();
        if let Some(shared) = table.get(&turn).and_then(Weak::upgrade) {
            return shared;
        }
        // Only when the table would grow, so that each entry is looked at a few times in all.
        if table.len() == table.capacity() {
            table.retain(|_, log| log.strong_count() > 0);
        }
        table.insert(turn, Arc::downgrade(&log));
        log
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<TurnId, Weak<LiveTurn>>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
