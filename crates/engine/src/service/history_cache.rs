//! Histories of recent sessions, cached so that a warm turn reads and parses nothing.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use lru::LruCache;
use turnkit_core::{History, SessionId};

/// The most bytes of text in the cache.
const MAX_BYTES: usize = 64 * 1024 * 1024;
/// The cost of a message besides its text, in bytes.
const MESSAGE_OVERHEAD: usize = 256;

/// The histories of the most recently used sessions, up to a total size. A history is taken out while its turn runs,
/// since a session runs one turn at a time.
pub(super) struct HistoryCache {
    state: Mutex<State>,
}

struct State {
    histories: LruCache<SessionId, CachedHistory>,
    bytes: usize,
    /// Sessions with a running turn that were not forgotten since the turn began.
    reserved: HashSet<SessionId>,
}

/// The history of one branch of a session.
struct CachedHistory {
    history: History,
    /// The number of the last turn in it, which names the branch.
    last: u32,
    /// The number of bytes that the history takes in the cache.
    bytes: usize,
}

/// The right to cache the history of a session once its turn has ended. It has no effect if the session is forgotten in
/// the meantime.
pub(super) struct CacheReservation<'a> {
    cache: &'a HistoryCache,
    session: SessionId,
}

impl Default for HistoryCache {
    fn default() -> Self {
        Self { state: Mutex::new(State { histories: LruCache::unbounded(), bytes: 0, reserved: HashSet::new() }) }
    }
}

impl HistoryCache {
    /// Reserves a place in the cache for a session whose turn begins to run.
    pub(super) fn reserve(&self, session: SessionId) -> CacheReservation<'_> {
        self.lock().reserved.insert(session);
        CacheReservation { cache: self, session }
    }

    /// Takes the history of a session out of the cache, if it ends with turn number `last` and its branch has exactly
    /// `branch_len` messages. The history of another branch is dropped.
    pub(super) fn take(&self, session: SessionId, last: u32, branch_len: u32) -> Option<History> {
        let mut state = self.lock();
        let cached = state.histories.pop(&session)?;
        state.bytes -= cached.bytes;
        (cached.last == last && cached.history.branch_len() == branch_len).then_some(cached.history)
    }

    /// Drops the history of a session.
    pub(super) fn forget(&self, session: SessionId) {
        let mut state = self.lock();
        state.reserved.remove(&session);
        if let Some(cached) = state.histories.pop(&session) {
            state.bytes -= cached.bytes;
        }
    }

    fn put(&self, session: SessionId, last: u32, history: History) {
        let bytes = 2 * history.text_bytes() + history.len() * MESSAGE_OVERHEAD; // parsed, and encoded for a wire
        let mut state = self.lock();
        if !state.reserved.contains(&session) {
            return;
        }
        if let Some((_, replaced)) = state.histories.push(session, CachedHistory { history, last, bytes }) {
            state.bytes -= replaced.bytes;
        }
        state.bytes += bytes;
        while state.bytes > MAX_BYTES {
            let Some((_, freed)) = state.histories.pop_lru() else { break };
            state.bytes -= freed.bytes;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CacheReservation<'_> {
    /// Caches the history up to the end of turn number `last`. The least recently used sessions are evicted to make
    /// room.
    pub(super) fn keep(self, last: u32, history: History) {
        self.cache.put(self.session, last, history);
    }
}

impl Drop for CacheReservation<'_> {
    fn drop(&mut self) {
        self.cache.lock().reserved.remove(&self.session);
    }
}

#[cfg(test)]
mod tests {
    use turnkit_core::Message;

    use super::*;

    #[test]
    fn the_history_of_a_session_that_is_forgotten_while_its_turn_ends_is_not_cached() {
        let (cache, session) = (HistoryCache::default(), SessionId::default());
        for forgotten in [false, true] {
            let reservation = cache.reserve(session);
            if forgotten {
                cache.forget(session);
            }
            reservation.keep(1, History::of([Message::user("hi")]));
            assert_eq!(cache.take(session, 1, 1).is_some(), !forgotten);
        }
    }

    #[test]
    fn the_history_of_another_branch_is_not_taken_though_it_is_as_long() {
        let (cache, session) = (HistoryCache::default(), SessionId::default());
        for (last, messages, taken) in [(3, 1, true), (2, 1, false), (3, 2, false)] {
            cache.reserve(session).keep(3, History::of([Message::user("hi")]));
            assert_eq!(cache.take(session, last, messages).is_some(), taken, "{last}, {messages}");
        }
    }
}
