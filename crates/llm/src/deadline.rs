//! The timer of a call.

use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::time::{Instant, Sleep};
use turnkit_core::Phase;
use turnkit_net::TIMEOUT_GRACE;

use crate::endpoint::Timeouts;

/// The time limits of a call, with the phase that each belongs to. Moving the deadline costs no more than reading the
/// clock: the timer is reset only when it would fire too late for a waiting task, or when it has fired early.
///
/// A limit that has passed is not final at once. After the process was stopped or the machine slept, the timer may fire
/// before the runtime has seen bytes that arrived meanwhile. The limit is final if there is still no data
/// [`TIMEOUT_GRACE`] later.
#[derive(Debug)]
pub(crate) struct Deadline {
    sleep: Pin<Box<Sleep>>,
    at: Instant,
    phase: Phase,
    total: Instant,
    /// A limit that has passed, and the time at which it becomes final.
    doubted: Option<(Instant, Instant)>,
}

impl Deadline {
    /// Creates the deadline of a call that starts now and waits for its first event.
    pub(crate) fn new(timeouts: &Timeouts) -> Self {
        let now = Instant::now();
        let total = now + timeouts.total;
        let (at, phase) = earlier(now + timeouts.first_event, Phase::FirstEvent, total);
        Self { sleep: Box::pin(tokio::time::sleep_until(at)), at, phase, total, doubted: None }
    }

    /// Records that data arrived. The next data must arrive within `wait`.
    pub(crate) fn extend(&mut self, wait: Duration) {
        (self.at, self.phase) = earlier(Instant::now() + wait, Phase::Idle, self.total);
    }

    /// Reports whether the time limit of the whole call has passed, even if data still arrives.
    pub(crate) fn has_passed(&self) -> bool {
        self.total <= Instant::now()
    }

    /// Resolves to the phase that took too long. Call it only after finding nothing to read.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Phase> {
        loop {
            let believed = self.doubted.filter(|(limit, _)| *limit == self.at).map(|(_, believed)| believed);
            let due = believed.unwrap_or(self.at);
            if due < self.sleep.deadline() {
                self.sleep.as_mut().reset(due);
            }
            ready!(self.sleep.as_mut().poll(cx));
            if self.sleep.deadline() < due {
                self.sleep.as_mut().reset(due);
            } else if believed.is_some() {
                return Poll::Ready(self.phase);
            } else {
                self.doubted = Some((self.at, Instant::now() + TIMEOUT_GRACE));
            }
        }
    }

    /// Returns the output of `future` if it is ready in time.
    pub(crate) async fn guard<T>(&mut self, future: impl Future<Output = T>) -> Result<T, Phase> {
        let mut future = pin!(future);
        std::future::poll_fn(|cx| match future.as_mut().poll(cx) {
            Poll::Ready(value) => Poll::Ready(Ok(value)),
            Poll::Pending => self.poll(cx).map(Err),
        })
        .await
    }
}

fn earlier(at: Instant, phase: Phase, total: Instant) -> (Instant, Phase) {
    if at < total { (at, phase) } else { (total, Phase::Total) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMEOUTS: Timeouts = Timeouts {
        connect: Duration::from_secs(1),
        first_event: Duration::from_secs(2),
        idle: Duration::from_secs(3),
        total: Duration::from_secs(10),
    };

    async fn fires(deadline: &mut Deadline) -> Phase {
        std::future::poll_fn(|cx| deadline.poll(cx)).await
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_event_has_its_own_time() {
        let start = Instant::now();
        assert_eq!(fires(&mut Deadline::new(&TIMEOUTS)).await, Phase::FirstEvent);
        assert_eq!(start.elapsed(), TIMEOUTS.first_event + TIMEOUT_GRACE);
    }

    #[tokio::test(start_paused = true)]
    async fn activity_extends_the_deadline_up_to_the_limit_of_the_call() {
        let start = Instant::now();
        let mut deadline = Deadline::new(&TIMEOUTS);
        deadline.extend(TIMEOUTS.idle);
        assert_eq!(fires(&mut deadline).await, Phase::Idle);
        assert_eq!(start.elapsed(), TIMEOUTS.idle + TIMEOUT_GRACE);

        for _ in 0..3 {
            deadline.extend(TIMEOUTS.idle);
            assert_eq!(deadline.guard(tokio::time::sleep(Duration::from_secs(2))).await, Ok(()));
        }
        deadline.extend(TIMEOUTS.idle);
        assert_eq!(fires(&mut deadline).await, Phase::Total);
        assert_eq!(start.elapsed(), TIMEOUTS.total + TIMEOUT_GRACE);
        assert!(deadline.has_passed());
    }

    #[tokio::test(start_paused = true)]
    async fn it_can_move_earlier() {
        let start = Instant::now();
        let mut deadline = Deadline::new(&TIMEOUTS);
        deadline.extend(Duration::from_millis(50));
        assert_eq!(fires(&mut deadline).await, Phase::Idle);
        assert_eq!(start.elapsed(), Duration::from_millis(50) + TIMEOUT_GRACE);
    }
}
