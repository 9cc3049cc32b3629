//! The one timer of a call.

use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep};
use turnkit_core::Phase;

use crate::endpoint::Timeouts;

/// When a call has taken too long, and in which phase. Moving it costs no more than reading the clock: the timer is set
/// again only when somebody waits and it would fire too late, or when it has fired early.
#[derive(Debug)]
pub(crate) struct Deadline {
    sleep: Pin<Box<Sleep>>,
    at: Instant,
    phase: Phase,
    total: Instant,
}

impl Deadline {
    /// The deadline of a call that begins now and waits for its first event.
    pub(crate) fn new(timeouts: &Timeouts) -> Self {
        let now = Instant::now();
        let total = now + timeouts.total;
        let (at, phase) = earlier(now + timeouts.first_event, Phase::FirstEvent, total);
        Self { sleep: Box::pin(tokio::time::sleep_until(at)), at, phase, total }
    }

    /// There was a sign of life: the next must come within `wait`. False if the whole call has taken too long.
    pub(crate) fn extend(&mut self, wait: Duration) -> bool {
        let now = Instant::now();
        (self.at, self.phase) = earlier(now + wait, Phase::Idle, self.total);
        now < self.total
    }

    /// Ready with the phase that took too long.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Phase> {
        if self.at < self.sleep.deadline() {
            self.sleep.as_mut().reset(self.at);
        }
        while self.sleep.as_mut().poll(cx).is_ready() {
            if self.sleep.deadline() >= self.at {
                return Poll::Ready(self.phase);
            }
            self.sleep.as_mut().reset(self.at);
        }
        Poll::Pending
    }

    /// What `future` gives, if it is in time.
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
        assert_eq!(start.elapsed(), TIMEOUTS.first_event);
    }

    #[tokio::test(start_paused = true)]
    async fn signs_of_life_move_it_until_the_call_as_a_whole_is_too_long() {
        let start = Instant::now();
        let mut deadline = Deadline::new(&TIMEOUTS);
        assert!(deadline.extend(TIMEOUTS.idle));
        assert_eq!(fires(&mut deadline).await, Phase::Idle);
        assert_eq!(start.elapsed(), TIMEOUTS.idle);

        for _ in 0..3 {
            assert!(deadline.extend(TIMEOUTS.idle));
            assert_eq!(deadline.guard(tokio::time::sleep(Duration::from_secs(2))).await, Ok(()));
        }
        assert!(deadline.extend(TIMEOUTS.idle));
        assert_eq!(fires(&mut deadline).await, Phase::Total);
        assert_eq!(start.elapsed(), TIMEOUTS.total);
        assert!(!deadline.extend(TIMEOUTS.idle));
    }

    #[tokio::test(start_paused = true)]
    async fn it_can_move_earlier() {
        let start = Instant::now();
        let mut deadline = Deadline::new(&TIMEOUTS);
        assert!(deadline.extend(Duration::from_millis(50)));
        assert_eq!(fires(&mut deadline).await, Phase::Idle);
        assert_eq!(start.elapsed(), Duration::from_millis(50));
    }
}
