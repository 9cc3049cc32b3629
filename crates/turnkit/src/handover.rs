//! Events on their way from a turn to its reader.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use turnkit_engine::RunEvent;

/// Hands events of a turn to its reader, one at a time. The reader polls the turn, so neither of them needs to be woken.
#[derive(Clone, Default)]
pub(crate) struct Handover(Arc<Mutex<Option<RunEvent>>>);

impl Handover {
    /// Hands an event over and waits until it is taken.
    pub(crate) async fn put(&self, event: RunEvent) {
        *self.lock() = Some(event);
        poll_fn(|_| if self.lock().is_some() { Poll::Pending } else { Poll::Ready(()) }).await;
    }

    pub(crate) fn take(&self) -> Option<RunEvent> {
        self.lock().take()
    }

    fn lock(&self) -> MutexGuard<'_, Option<RunEvent>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
