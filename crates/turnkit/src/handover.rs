//! The slot through which a turn passes events to its reader.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use turnkit_engine::RunEvent;

/// Passes events of a turn to its reader, one at a time. The reader polls the turn, so neither side needs a waker.
#[derive(Clone, Default)]
pub(crate) struct Handover(Arc<Mutex<Option<RunEvent>>>);

impl Handover {
    /// Stores an event and waits until the reader has taken it.
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
