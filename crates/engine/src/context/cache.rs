//! A cache of the instructions of recent sessions, so that a warm turn does not assemble them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lru::LruCache;
use turnkit_core::SessionId;

/// The number of sessions whose instructions are cached.
const MAX_SESSIONS: usize = 1_000;

/// The instructions of the most recently used sessions, each with the key of its sources.
pub(crate) struct InstructionCache {
    kept: Mutex<LruCache<SessionId, (u64, Arc<str>)>>,
}

impl Default for InstructionCache {
    fn default() -> Self {
        Self { kept: Mutex::new(LruCache::unbounded()) }
    }
}

impl InstructionCache {
    /// Returns the instructions of the session, if their sources still have this `key`.
    pub(super) fn get(&self, session: SessionId, key: u64) -> Option<Arc<str>> {
        let mut kept = self.lock();
        kept.get(&session).filter(|(sources, _)| *sources == key).map(|(_, instructions)| Arc::clone(instructions))
    }

    /// Stores the instructions of a session.
    pub(super) fn put(&self, session: SessionId, key: u64, instructions: Arc<str>) {
        let mut kept = self.lock();
        kept.put(session, (key, instructions));
        if kept.len() > MAX_SESSIONS {
            kept.pop_lru();
        }
    }

    /// Drops the instructions of a session.
    pub(crate) fn forget(&self, session: SessionId) {
        self.lock().pop(&session);
    }

    fn lock(&self) -> MutexGuard<'_, LruCache<SessionId, (u64, Arc<str>)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
