//! Requests to stop turns that this process owns and has not begun to run.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use turnkit_core::{StopReason, TurnId};

/// Why turns are to stop that nobody can be told yet: they wait for a slot, or are being read. Whoever runs such a turn
/// looks here once others can find it.
#[derive(Default)]
pub(super) struct EarlyStops(Mutex<HashMap<TurnId, StopReason>>);

impl EarlyStops {
    pub(super) fn add(&self, turn: TurnId, reason: StopReason) {
        self.lock().entry(turn).or_insert(reason);
    }

    pub(super) fn take(&self, turn: TurnId) -> Option<StopReason> {
        self.lock().remove(&turn)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<TurnId, StopReason>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
