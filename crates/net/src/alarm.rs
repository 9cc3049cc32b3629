//! Waking the task that waits for a connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Wake, Waker};

use futures_util::task::AtomicWaker;

/// Something has come since the connection was looked at last, or it was never looked at.
const NEWS: u8 = 0;
/// The connection is being looked at, by the task that would be woken.
const LOOKING: u8 = 1;
/// There was nothing to do, and nothing has come since.
const QUIET: u8 = 2;

/// What a connection wakes. It knows whether anything has come, so that a task which asks again need not look again, and
/// is not woken for what it does to the connection itself.
#[derive(Debug)]
pub(crate) struct Alarm {
    bell: Arc<Bell>,
    /// The bell, as a connection takes it.
    waker: Waker,
}

#[derive(Debug)]
struct Bell {
    state: AtomicU8,
    task: AtomicWaker,
}

impl Alarm {
    pub(crate) fn new() -> Self {
        let bell = Arc::new(Bell { state: AtomicU8::new(NEWS), task: AtomicWaker::new() });
        Self { waker: Waker::from(Arc::clone(&bell)), bell }
    }

    /// Whether there is nothing to look for. If so the task of `cx` is woken when there is.
    pub(crate) fn is_quiet(&self, cx: &Context<'_>) -> bool {
        // First who is to be woken: what comes after this line rings there.
        self.bell.task.register(cx.waker());
        self.bell.state.load(Ordering::Acquire) == QUIET
    }

    /// Begins to look, with what the connection is to wake meanwhile and later.
    pub(crate) fn look(&self) -> &Waker {
        self.bell.state.store(LOOKING, Ordering::Release);
        &self.waker
    }

    /// There may be more to look for.
    pub(crate) fn found(&self) {
        self.bell.state.store(NEWS, Ordering::Release);
    }

    /// There was nothing. `false` if something has come meanwhile.
    pub(crate) fn found_nothing(&self) -> bool {
        self.bell.state.compare_exchange(LOOKING, QUIET, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if self.state.swap(NEWS, Ordering::AcqRel) == QUIET {
            self.task.wake();
        }
    }
}
