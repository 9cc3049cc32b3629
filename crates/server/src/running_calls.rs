//! The calls of MCP clients that are being answered, so that a notification can cancel one by the id of its request.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use turnkit_core::{Scope, TurnId};
use uuid::Uuid;

/// The running calls of a server. Cloning gives another handle to the same calls. Their number is bounded by that of
/// open responses.
#[derive(Clone, Default)]
pub(crate) struct RunningCalls(Arc<Mutex<HashMap<CallKey, Entry>>>);

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

/// A registered call. Dropping it ends the registration.
pub(crate) struct RunningCall {
    calls: RunningCalls,
    key: CallKey,
    cancelled: Arc<AtomicBool>,
}

impl RunningCalls {
    /// Registers a call that follows `turn`. A repeated request replaces the first one.
    pub(crate) fn register(&self, key: CallKey, turn: TurnId) -> RunningCall {
        let cancelled = Arc::new(AtomicBool::new(false));
        let entry = Entry { turn, cancelled: Arc::clone(&cancelled) };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone(), entry);
        RunningCall { calls: self.clone(), key, cancelled }
    }

    /// Returns the turn of a call, or `None` if the call does not run.
    pub(crate) fn turn(&self, key: &CallKey) -> Option<TurnId> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).map(|entry| entry.turn)
    }

    /// Marks a call as cancelled, if it runs.
    pub(crate) fn cancel(&self, key: &CallKey) {
        if let Some(entry) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key) {
            entry.cancelled.store(true, Ordering::Relaxed);
        }
    }
}

impl RunningCall {
    /// Reports whether the client cancelled the call. It expects no response then.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

impl Drop for RunningCall {
    fn drop(&mut self) {
        let mut calls = self.calls.0.lock().unwrap_or_else(PoisonError::into_inner);
        if calls.get(&self.key).is_some_and(|entry| Arc::ptr_eq(&entry.cancelled, &self.cancelled)) {
            calls.remove(&self.key);
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
        let call = calls.register(key("ada", 1, "3"), turn);
        for other in [key("bob", 1, "3"), key("ada", 2, "3"), key("ada", 1, "\"3\"")] {
            assert_eq!(calls.turn(&other), None, "{other:?}");
            calls.cancel(&other);
        }
        assert!(!call.is_cancelled());
        assert_eq!(calls.turn(&key("ada", 1, "3")), Some(turn));
        calls.cancel(&key("ada", 1, "3"));
        assert!(call.is_cancelled());
        drop(call);
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
