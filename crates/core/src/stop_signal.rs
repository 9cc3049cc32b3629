//! The stop request for the task that runs a turn.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use crate::StopReason;

/// Asks one run of a turn to stop. Every source of stop requests raises it, and the run waits for it.
#[derive(Debug, Default)]
pub struct StopSignal {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    reason: Option<StopReason>,
    /// The waker of the task that runs the turn.
    waiting: Option<Waker>,
}

impl StopSignal {
    /// Creates a signal. It is already raised if there is a reason.
    pub(crate) fn with(reason: Option<StopReason>) -> Self {
        Self { state: Mutex::new(State { reason, waiting: None }) }
    }

    /// Asks the run to stop. The first reason is kept.
    pub fn raise(&self, reason: StopReason) {
        let waiting = {
            let mut state = self.lock();
            state.reason.get_or_insert(reason);
            state.waiting.take()
        };
        waiting.into_iter().for_each(Waker::wake);
    }

    /// Returns the reason to stop, if the signal was raised.
    pub fn reason(&self) -> Option<StopReason> {
        self.lock().reason
    }

    /// Returns the reason to stop. Until the signal is raised, keeps the waker of the task that polled last.
    pub fn poll_raised(&self, context: &mut Context<'_>) -> Poll<StopReason> {
        let mut state = self.lock();
        match state.reason {
            Some(reason) => Poll::Ready(reason),
            None => {
                if !state.waiting.as_ref().is_some_and(|waker| waker.will_wake(context.waker())) {
                    state.waiting = Some(context.waker().clone());
                }
                Poll::Pending
            }
        }
    }

    /// Waits until the run is asked to stop. Only one task may wait.
    pub async fn raised(&self) -> StopReason {
        std::future::poll_fn(|context| self.poll_raised(context)).await
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::Wake;

    use super::*;

    #[derive(Default)]
    struct Alarm(AtomicUsize);

    impl Wake for Alarm {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    #[test]
    fn the_first_reason_stays_and_wakes_the_run_once() {
        let (signal, alarm) = (StopSignal::default(), Arc::<Alarm>::default());
        let waker = Waker::from(Arc::clone(&alarm));
        let mut context = Context::from_waker(&waker);
        assert_eq!(signal.poll_raised(&mut context), Poll::Pending);
        assert_eq!(signal.poll_raised(&mut context), Poll::Pending);
        signal.raise(StopReason::Superseded);
        signal.raise(StopReason::Cancelled);
        assert_eq!(alarm.0.load(Ordering::SeqCst), 1);
        assert_eq!(signal.poll_raised(&mut context), Poll::Ready(StopReason::Superseded));
        assert_eq!(signal.reason(), Some(StopReason::Superseded));
    }

    #[test]
    fn a_run_that_asks_late_learns_that_it_is_to_stop() {
        let signal = StopSignal::default();
        signal.raise(StopReason::Cancelled);
        let poll = signal.poll_raised(&mut Context::from_waker(Waker::noop()));
        assert_eq!(poll, Poll::Ready(StopReason::Cancelled));
    }
}
