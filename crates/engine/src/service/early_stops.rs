//! Requests to stop turns that nobody can find by their live log yet: they wait for a slot, are being read, or are about
//! to be taken up again.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use turnkit_core::{StopReason, TurnId};

/// Why such turns are to stop. Whoever runs one looks here once others can find it.
#[derive(Default)]
pub(super) struct EarlyStops {
    reasons: Mutex<HashMap<TurnId, StopReason>>,
    added: Notify,
}

impl EarlyStops {
    /// Asks that a turn stop. The first reason stays.
    pub(super) fn add(&self, turn: TurnId, reason: StopReason) {
        self.lock().entry(turn).or_insert(reason);
        self.added.notify_waiters();
    }

    /// Why the turn should stop. It is forgotten: its live log knows, or it is over.
    pub(super) fn take(&self, turn: TurnId) -> Option<StopReason> {
        self.lock().remove(&turn)
    }

    /// Waits until the turn should stop.
    pub(super) async fn wait(&self, turn: TurnId) {
        loop {
            let added = self.added.notified();
            if self.lock().contains_key(&turn) {
                return;
            }
            added.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<TurnId, StopReason>> {
        self.reasons.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
