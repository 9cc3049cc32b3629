//! A signal that wakes waiting tasks when something has changed.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// Signals that something has changed, but not what: watchers look up the change themselves. Several changes before a
/// watcher polls count as one, and no change is missed.
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
    /// How often the signal was raised.
    version: u64,
    /// The number of watches created so far.
    watches: u64,
    /// The ids and wakers of the watches that wait for the next change, each at most once.
    waiting: Vec<(u64, Waker)>,
}

impl Signal {
    /// Creates a signal without watches.
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Signals a change. Each waiting watch is woken once, after the lock is released.
    pub fn raise(&self) {
        let waiting = {
            let mut state = self.lock();
            state.version += 1;
            std::mem::take(&mut state.waiting)
        };
        waiting.into_iter().for_each(|(_, waker)| waker.wake());
    }

    /// Starts a watch for changes from now on.
    pub fn watch(self: &Arc<Self>) -> Watch {
        let mut state = self.lock();
        state.watches += 1;
        Watch { signal: Arc::clone(self), id: state.watches, seen: state.version }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A watch on a [`Signal`].
#[derive(Debug)]
pub struct Watch {
    signal: Arc<Signal>,
    id: u64,
    seen: u64,
}

impl Watch {
    /// Returns `Ready` if something has changed since the last `Ready`, or since the watch began. Otherwise registers
    /// the task's waker for the next change.
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

    /// Waits until something has changed since this method last returned, or since the watch began.
    pub async fn changed(&mut self) {
        std::future::poll_fn(|context| self.poll_changed(context)).await;
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.signal.lock().waiting.retain(|(id, _)| *id != self.id);
    }
}
