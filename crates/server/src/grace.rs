//! The timer of connections, which tolerates a stopped process.
//!
//! If the process was stopped or the machine slept, a timer may fire before the runtime has seen bytes that arrived
//! meanwhile. A limit therefore gets a grace period, as [`turnkit_net::timeout`] gives it: it counts as exceeded only
//! if nothing has arrived [`TIMEOUT_GRACE`] later.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use hyper::rt;
use tokio::time::{self, Sleep};
use turnkit_net::TIMEOUT_GRACE;

/// The timer of connections. Its limits have a grace period.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GraceTimer;

struct GraceSleep {
    sleep: Pin<Box<Sleep>>,
    /// Whether the limit has passed and the grace period is running.
    in_grace: bool,
}

impl rt::Timer for GraceTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn rt::Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn rt::Sleep>> {
        Box::pin(GraceSleep { sleep: Box::pin(time::sleep_until(deadline.into())), in_grace: false })
    }

    fn reset(&self, sleep: &mut Pin<Box<dyn rt::Sleep>>, deadline: Instant) {
        match sleep.as_mut().downcast_mut_pin::<GraceSleep>() {
            Some(mut timer) => {
                timer.sleep.as_mut().reset(deadline.into());
                timer.in_grace = false;
            }
            None => *sleep = self.sleep_until(deadline),
        }
    }

    fn now(&self) -> Instant {
        time::Instant::now().into()
    }
}

impl rt::Sleep for GraceSleep {}

impl Future for GraceSleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        ready!(self.sleep.as_mut().poll(cx));
        if !self.in_grace {
            self.in_grace = true;
            self.sleep.as_mut().reset(time::Instant::now() + TIMEOUT_GRACE);
            ready!(self.sleep.as_mut().poll(cx));
        }
        Poll::Ready(())
    }
}

#[cfg(test)]
mod tests {
    use hyper::rt::Timer as _;

    use super::*;

    const LIMIT: Duration = Duration::from_secs(30);

    #[tokio::test(start_paused = true)]
    async fn a_connection_timer_fires_after_the_grace_period_even_if_it_was_reset() {
        let begun = time::Instant::now();
        let mut sleep = GraceTimer.sleep(LIMIT);
        sleep.as_mut().await;
        assert_eq!(begun.elapsed(), LIMIT + TIMEOUT_GRACE);
        GraceTimer.reset(&mut sleep, (begun + 2 * LIMIT).into());
        sleep.as_mut().await;
        assert_eq!(begun.elapsed(), 2 * LIMIT + TIMEOUT_GRACE);
    }
}
