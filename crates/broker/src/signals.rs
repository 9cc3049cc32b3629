//! One signal per watched session.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use turnkit_core::{SessionId, Signal};

/// Number of signals from which unused ones are cleared.
const CLEAR_FROM: usize = 64;

/// The signals of sessions. Only the watchers keep a signal alive; the table holds weak references.
#[derive(Default)]
pub(crate) struct Signals {
    table: Mutex<HashMap<SessionId, Weak<Signal>>>,
}

impl Signals {
    /// Returns the session's signal, creating it if needed.
    pub(crate) fn of(&self, session: SessionId) -> Arc<Signal> {
        let mut table = self.lock();
        if let Some(signal) = table.get(&session).and_then(Weak::upgrade) {
            return signal;
        }
        // Runs only when the table would grow, which happens at twice the number of remaining entries. So each entry is
        // visited only a few times overall.
        if table.len() >= CLEAR_FROM && table.len() == table.capacity() {
            table.retain(|_, signal| signal.strong_count() > 0);
            let room = table.len().max(CLEAR_FROM);
            table.shrink_to(2 * room);
        }
        let signal = Signal::new();
        table.insert(session, Arc::downgrade(&signal));
        signal
    }

    /// Raises the session's signal if it is watched.
    pub(crate) fn raise(&self, session: SessionId) {
        if let Some(signal) = self.find(session) {
            signal.raise();
        }
    }

    /// Returns the session's signal, if it is watched.
    pub(crate) fn find(&self, session: SessionId) -> Option<Arc<Signal>> {
        self.lock().get(&session).and_then(Weak::upgrade)
    }

    /// Returns the watched sessions, in order.
    pub(crate) fn watched(&self) -> Vec<SessionId> {
        let table = self.lock();
        let held = table.iter().filter(|(_, signal)| signal.strong_count() > 0);
        let mut sessions: Vec<SessionId> = held.map(|(session, _)| *session).collect();
        sessions.sort_unstable();
        sessions
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SessionId, Weak<Signal>>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Waker};

    use uuid::Uuid;

    use super::*;

    fn session(number: u128) -> SessionId {
        SessionId(Uuid::from_u128(number))
    }

    #[test]
    fn a_watch_is_raised_only_by_changes_of_its_session() {
        let signals = Signals::default();
        let (mut one, mut other) = (signals.of(session(1)).watch(), signals.of(session(2)).watch());
        signals.raise(session(1));
        signals.raise(session(3));
        let mut context = Context::from_waker(Waker::noop());
        assert!(one.poll_changed(&mut context).is_ready());
        assert!(other.poll_changed(&mut context).is_pending());
    }

    #[test]
    fn a_dropped_signal_is_removed() {
        let signals = Signals::default();
        let held = signals.of(session(0));
        for number in 1..10_000 {
            drop(signals.of(session(number)));
        }
        assert!(signals.lock().len() <= 4 * CLEAR_FROM);
        assert!(Arc::ptr_eq(&held, &signals.of(session(0))));
    }
}
