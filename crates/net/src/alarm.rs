//! Waking the task that waits for a connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use futures_util::task::AtomicWaker;

/// Something has come since the connection was looked at last, or it was never looked at.
const NEWS: u8 = 0;
/// The connection is being looked at: what comes now is looked for again, and wakes nobody yet.
const LOOKING: u8 = 1;
/// There was nothing, and nothing has come since.
const QUIET: u8 = 2;

/// What a connection wakes. It knows whether anything has come, so that a task which asks again need not look again, and
/// is not woken for what it does to the connection itself.
///
/// Whoever waits asks for news. Where there may be some, it looks, and then says whether it found any.
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

    /// Whether to look. If there is nothing to look for, the task of `cx`, and no other, is woken when there is.
    pub(crate) fn poll_news(&self, cx: &Context<'_>) -> Poll<()> {
        // First who is to be woken: what comes after this line rings there.
        self.bell.task.register(cx.waker());
        if self.bell.state.load(Ordering::Acquire) == QUIET { Poll::Pending } else { Poll::Ready(()) }
    }

    /// Begins to look, with what the connection is to wake meanwhile and later.
    pub(crate) fn look(&self) -> &Waker {
        self.bell.state.store(LOOKING, Ordering::Release);
        &self.waker
    }

    /// There was something, and there may be more.
    pub(crate) fn found(&self) {
        self.bell.state.store(NEWS, Ordering::Release);
    }

    /// There was nothing. If something has come meanwhile, the task is woken to look again: not at once, since it may be
    /// that it is to let others go first.
    pub(crate) fn found_nothing(&self) {
        if self.bell.state.compare_exchange(LOOKING, QUIET, Ordering::AcqRel, Ordering::Acquire).is_err() {
            self.bell.task.wake();
        }
    }

    /// Nobody waits any more. Whoever comes next has to look first.
    pub(crate) fn rest(&self) {
        self.found();
        // A waker keeps the memory of its task.
        drop(self.bell.task.take());
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    /// Counts how often it wakes.
    #[derive(Default)]
    struct Task(AtomicUsize);

    impl Wake for Task {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn alarm_of_a_task() -> (Alarm, Arc<Task>, Waker) {
        let task = Arc::new(Task::default());
        let waker = Waker::from(Arc::clone(&task));
        (Alarm::new(), task, waker)
    }

    #[test]
    fn what_comes_while_nobody_looks_wakes_the_task_once() {
        let (alarm, task, waker) = alarm_of_a_task();
        let cx = Context::from_waker(&waker);
        for round in 0..3 {
            assert!(alarm.poll_news(&cx).is_ready());
            let connection = alarm.look().clone();
            alarm.found_nothing();
            assert!(alarm.poll_news(&cx).is_pending() && alarm.poll_news(&cx).is_pending());
            assert_eq!(task.0.load(Ordering::Relaxed), round);
            connection.wake_by_ref();
            connection.wake();
            assert_eq!(task.0.load(Ordering::Relaxed), round + 1);
        }
    }

    #[test]
    fn what_comes_during_a_look_wakes_the_task_only_if_the_look_found_nothing() {
        let (alarm, task, waker) = alarm_of_a_task();
        let cx = Context::from_waker(&waker);
        for (found, wakes) in [(true, 0), (false, 1)] {
            assert!(alarm.poll_news(&cx).is_ready());
            alarm.look().wake_by_ref();
            assert_eq!(task.0.load(Ordering::Relaxed), 0);
            if found {
                alarm.found()
            } else {
                alarm.found_nothing()
            }
            assert_eq!((task.0.load(Ordering::Relaxed), alarm.poll_news(&cx)), (wakes, Poll::Ready(())));
        }
    }

    #[test]
    fn nobody_is_kept_who_does_not_wait() {
        let (alarm, task, waker) = alarm_of_a_task();
        assert!(alarm.poll_news(&Context::from_waker(&waker)).is_ready());
        drop(waker);
        assert_eq!(Arc::strong_count(&task), 2);
        alarm.rest();
        assert_eq!(Arc::strong_count(&task), 1);
        alarm.look().wake_by_ref();
        assert!(alarm.poll_news(&Context::from_waker(Waker::noop())).is_ready());
    }
}
