//! The unanswered calls of MCP clients, so that a notification can cancel one by the id of its request.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lru::LruCache;
use turnkit_core::{Scope, TurnId};
use uuid::Uuid;

/// The number of calls without a response that are remembered, 1,024. The oldest is forgotten first.
const MAX_ABANDONED: NonZeroUsize = NonZeroUsize::MIN.saturating_add(1023);

/// The unanswered calls of a server. Cloning gives another handle to the same calls.
#[derive(Clone, Default)]
pub(crate) struct RunningCalls(Arc<Mutex<Calls>>);

struct Calls {
    /// The calls with an open response.
    open: HashMap<CallKey, Entry>,
    /// The turns of calls whose response was closed before it held an answer. Some clients close it before they send
    /// the notification.
    abandoned: LruCache<CallKey, TurnId>,
}

/// The request of a call. Ids of requests are unique only on their connection.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct CallKey {
    /// The user.
    pub(crate) scope: Scope,
    /// The connection of the client.
    pub(crate) connection: Uuid,
    /// The id of the request, as JSON.
    pub(crate) request: String,
}

struct Entry {
    turn: TurnId,
    cancelled: Arc<AtomicBool>,
}

/// A registered call with an open response. Dropping it closes the response.
pub(crate) struct RunningCall {
    calls: RunningCalls,
    key: CallKey,
    turn: TurnId,
    cancelled: Arc<AtomicBool>,
    is_answered: bool,
}

impl Default for Calls {
    fn default() -> Self {
        Self { open: HashMap::new(), abandoned: LruCache::new(MAX_ABANDONED) }
    }
}

impl RunningCalls {
    /// Registers a call that follows `turn`. A repeated request replaces the first one.
    pub(crate) fn register(&self, key: CallKey, turn: TurnId) -> RunningCall {
        let cancelled = Arc::new(AtomicBool::new(false));
        let entry = Entry { turn, cancelled: Arc::clone(&cancelled) };
        let mut calls = self.lock();
        calls.abandoned.pop(&key);
        calls.open.insert(key.clone(), entry);
        RunningCall { calls: self.clone(), key, turn, cancelled, is_answered: false }
    }

    /// Returns the turn of a call, or `None` if the call is unknown or was answered.
    pub(crate) fn turn(&self, key: &CallKey) -> Option<TurnId> {
        let calls = self.lock();
        calls.open.get(key).map(|entry| entry.turn).or_else(|| calls.abandoned.peek(key).copied())
    }

    /// Marks a call as cancelled, so that its response ends without an answer.
    pub(crate) fn cancel(&self, key: &CallKey) {
        if let Some(entry) = self.lock().open.get(key) {
            entry.cancelled.store(true, Ordering::Relaxed);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Calls> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RunningCall {
    /// Reports whether the client cancelled the call. It expects no response then.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Records that the call was answered, so that it can no longer be cancelled once its response is closed.
    pub(crate) fn answered(&mut self) {
        self.is_answered = true;
    }
}

impl Drop for RunningCall {
    fn drop(&mut self) {
        let mut calls = self.calls.lock();
        if calls.open.get(&self.key).is_some_and(|entry| Arc::ptr_eq(&entry.cancelled, &self.cancelled)) {
            calls.open.remove(&self.key);
            if !self.is_answered {
                calls.abandoned.put(self.key.clone(), self.turn);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(user: &str, connection: u128, request: &str) -> CallKey {
        let connection = Uuid::from_u128(connection);
        CallKey { scope: Scope::new("local", user), connection, request: request.to_owned() }
    }

    #[test]
    fn a_call_is_cancelled_by_its_user_on_its_connection_while_it_runs() {
        let (calls, turn) = (RunningCalls::default(), TurnId(Uuid::from_u128(7)));
        let mut call = calls.register(key("ada", 1, "3"), turn);
        for other in [key("bob", 1, "3"), key("ada", 2, "3"), key("ada", 1, "\"3\"")] {
            assert_eq!(calls.turn(&other), None, "{other:?}");
            calls.cancel(&other);
        }
        assert!(!call.is_cancelled());
        assert_eq!(calls.turn(&key("ada", 1, "3")), Some(turn));
        calls.cancel(&key("ada", 1, "3"));
        assert!(call.is_cancelled());
        call.answered();
        drop(call);
        assert_eq!(calls.turn(&key("ada", 1, "3")), None);
    }

    #[test]
    fn a_call_whose_response_was_closed_is_found_until_it_is_repeated_and_answered() {
        let (calls, turn) = (RunningCalls::default(), TurnId(Uuid::from_u128(7)));
        drop(calls.register(key("ada", 1, "3"), turn));
        assert_eq!(calls.turn(&key("ada", 1, "3")), Some(turn));
        assert_eq!(calls.turn(&key("bob", 1, "3")), None);
        calls.register(key("ada", 1, "3"), turn).answered();
        assert_eq!(calls.turn(&key("ada", 1, "3")), None);
    }

    #[test]
    fn the_end_of_a_request_does_not_end_the_registration_of_its_repetition() {
        let (calls, turn) = (RunningCalls::default(), TurnId(Uuid::from_u128(7)));
        let first = calls.register(key("ada", 1, "3"), turn);
        let second = calls.register(key("ada", 1, "3"), turn);
        drop(first);
        calls.cancel(&key("ada", 1, "3"));
        assert!(second.is_cancelled());
    }
}
