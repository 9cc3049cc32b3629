//! Time limits on data from clients that tolerate a stopped process.
//!
//! If the process was stopped or the machine slept, a timer may fire before the runtime has seen bytes that arrived
//! meanwhile. A limit therefore gets a grace period: it counts as exceeded only if nothing has arrived [`TIMEOUT_GRACE`]
//! later.
//!
//! `turnkit_net::timeout` does the same for clients; the server does not depend on that crate.

use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use hyper::rt;
use tokio::time::error::Elapsed;
use tokio::time::{self, Sleep};

/// The grace period after a limit has passed: long enough for the runtime to poll its sockets once more.
const TIMEOUT_GRACE: Duration = Duration::from_millis(5);

/// Waits up to `limit` for `future`, and polls it once more before reporting a timeout.
pub(crate) async fn timeout<F: Future>(limit: Duration, future: F) -> Result<F::Output, Elapsed> {
    let mut future = pin!(future);
    match time::timeout(limit, &mut future).await {
        Err(_) => time::timeout(TIMEOUT_GRACE, future).await,
        in_time => in_time,
    }
}

/// The timer of connections. Its limits have a grace period.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PatientTimer;

struct PatientSleep {
    sleep: Pin<Box<Sleep>>,
    /// Whether the limit has passed and the grace period is running.
    doubted: bool,
}

impl rt::Timer for PatientTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn rt::Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn rt::Sleep>> {
        Box::pin(PatientSleep { sleep: Box::pin(time::sleep_until(deadline.into())), doubted: false })
    }

    fn reset(&self, sleep: &mut Pin<Box<dyn rt::Sleep>>, deadline: Instant) {
        match sleep.as_mut().downcast_mut_pin::<PatientSleep>() {
            Some(mut patient) => {
                patient.sleep.as_mut().reset(deadline.into());
                patient.doubted = false;
            }
            None => *sleep = self.sleep_until(deadline),
        }
    }

    fn now(&self) -> Instant {
        time::Instant::now().into()
    }
}

impl rt::Sleep for PatientSleep {}

impl Future for PatientSleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        ready!(self.sleep.as_mut().poll(cx));
        if !self.doubted {
            self.doubted = true;
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
    async fn what_came_by_the_second_look_is_in_time() {
        let begun = time::Instant::now();
        let arrives = |after| {
            std::future::poll_fn(move |_| if begun.elapsed() > after { Poll::Ready(()) } else { Poll::Pending })
        };
        assert!(timeout(LIMIT, arrives(LIMIT)).await.is_ok());
        assert!(timeout(LIMIT, arrives(3 * LIMIT)).await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn a_connections_limit_passes_a_look_later_also_after_it_was_moved() {
        let begun = time::Instant::now();
        let mut sleep = PatientTimer.sleep(LIMIT);
        sleep.as_mut().await;
        assert_eq!(begun.elapsed(), LIMIT + TIMEOUT_GRACE);
        PatientTimer.reset(&mut sleep, (begun + 2 * LIMIT).into());
        sleep.as_mut().await;
        assert_eq!(begun.elapsed(), 2 * LIMIT + TIMEOUT_GRACE);
    }
}
