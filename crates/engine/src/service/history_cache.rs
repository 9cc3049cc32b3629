//! Histories of recent sessions, so that a warm turn reads and parses nothing.

use std::sync::{Mutex, MutexGuard, PoisonError};

use lru::LruCache;
use turnkit_core::{History, SessionId};

/// How many bytes of text the cache may hold.
const MAX_BYTES: usize = 64 * 1024 * 1024;
/// What a message costs besides its text.
const MESSAGE_OVERHEAD: usize = 256;

/// The last used sessions' histories, up to a size. A history is taken out while its turn runs: one turn a session.
pub(super) struct HistoryCache {
    state: Mutex<State>,
}

struct State {
    histories: LruCache<SessionId, (History, usize)>,
    bytes: usize,
}

impl Default for HistoryCache {
    fn default() -> Self {
        Self { state: Mutex::new(State { histories: LruCache::unbounded(), bytes: 0 }) }
    }
}

impl HistoryCache {
    /// The history of a session, if it is here and has exactly `messages` messages.
    pub(super) fn take(&self, session: SessionId, messages: usize) -> Option<History> {
        let mut state = self.lock();
        let (history, bytes) = state.histories.pop(&session)?;
        state.bytes -= bytes;
        (history.len() == messages).then_some(history)
    }

    /// Drops the history of a session.
    pub(super) fn forget(&self, session: SessionId) {
        let mut state = self.lock();
        if let Some((_, bytes)) = state.histories.pop(&session) {
            state.bytes -= bytes;
        }
    }

    /// Keeps a history. The sessions used longest ago make room.
    pub(super) fn put(&self, session: SessionId, history: History) {
        let bytes = 2 * history.text_bytes() + history.len() * MESSAGE_OVERHEAD; // parsed, and encoded for a wire
        let mut state = self.lock();
        if let Some((_, replaced)) = state.histories.push(session, (history, bytes)).map(|(_, old)| old) {
            state.bytes -= replaced;
        }
        state.bytes += bytes;
        while state.bytes > MAX_BYTES {
            let Some((_, (_, freed))) = state.histories.pop_lru() else { break };
            state.bytes -= freed;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
