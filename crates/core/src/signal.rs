//! Telling those who wait that something has changed.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// Says that something has changed, not what: whoever watches looks for itself. Changes that come faster than somebody
/// looks are one change to it, and none is missed.
///
/// ```
/// use futures_util::FutureExt as _;
/// use turnkit_core::Signal;
///
/// let signal = Signal::new();
/// let mut watch = signal.watch();
/// assert!(watch.changed().now_or_never().is_none());
/// signal.raise();
/// assert!(watch.changed().now_or_never().is_some());
/// ```
#[derive(Debug, Default)]
pub struct Signal {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// How often it was raised.
    version: u64,
    /// How many have begun to watch.
    watches: u64,
    /// Those who wait for the next change, each once.
    waiting: Vec<(u64, Waker)>,
}

impl Signal {
    /// A signal nobody watches yet.
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Something has changed. Everyone who waits is woken once, after the lock is released.
    pub fn raise(&self) {
        let waiting = {
            let mut state = self.lock();
            state.version += 1;
            std::mem::take(&mut state.waiting)
        };
        waiting.into_iter().for_each(|(_, waker)| waker.wake());
    }

    /// Watches for changes from now on.
    pub fn watch(self: &Arc<Self>) -> Watch {
        let mut state = self.lock();
        state.watches += 1;
        Watch { signal: Arc::clone(self), id: state.watches, seen: state.version }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Somebody who watches a [`Signal`].
#[derive(Debug)]
pub struct Watch {
    signal: Arc<Signal>,
    id: u64,
    seen: u64,
}

impl Watch {
    /// Whether something has changed since this was last ready, or since the watch began; otherwise the caller is woken
    /// when it does.
    pub fn poll_changed(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let mut state = self.signal.lock();
        if state.version != self.seen {
            self.seen = state.version;
            return Poll::Ready(());
        }
        match state.waiting.iter_mut().find(|(id, _)| *id == self.id) {
            Some((_, waker)) => waker.clone_from(context.waker()),
            None => state.waiting.push((self.id, context.waker().clone())),
        }
        Poll::Pending
    }

    /// Waits until something has changed since this last returned, or since the watch began.
    pub async fn changed(&mut self) {
        std::future::poll_fn(|context| self.poll_changed(context)).await;
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.signal.lock().waiting.retain(|(id, _)| *id != self.id);
    }
}
