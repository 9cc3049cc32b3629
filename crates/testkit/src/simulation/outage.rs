//! Outages of the store that affect every process.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;

/// Whether the store fails for every process. Clones share the outage.
#[derive(Clone, Default)]
pub(super) struct Outage(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    is_now: bool,
    ended_at: Option<Instant>,
}

impl Outage {
    /// Starts or ends the outage.
    pub(super) fn set(&self, is_now: bool) {
        *self.lock() = State { is_now, ended_at: (!is_now).then(Instant::now) };
    }

    pub(super) fn is_now(&self) -> bool {
        self.lock().is_now
    }

    /// Returns when the last outage ended.
    pub(super) fn ended_at(&self) -> Option<Instant> {
        self.lock().ended_at
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
