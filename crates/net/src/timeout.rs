//! Timeouts that stay correct after the process was suspended.

use std::pin::pin;
use std::time::Duration;

use tokio::time::error::Elapsed;

/// Grace period after a timeout has fired: long enough for the runtime to poll its sockets once more.
pub const TIMEOUT_GRACE: Duration = Duration::from_millis(5);

/// Waits for `future` for at most `limit`, like [`tokio::time::timeout`]. After the process was stopped or the machine
/// slept, a timer may fire before the runtime has seen bytes that arrived meanwhile. So the timeout counts only if the
/// future is still not ready [`TIMEOUT_GRACE`] later.
///
/// # Errors
/// The future was not ready in time.
pub async fn timeout<F: Future>(limit: Duration, future: F) -> Result<F::Output, Elapsed> {
    let mut future = pin!(future);
    match tokio::time::timeout(limit, &mut future).await {
        Err(_) => tokio::time::timeout(TIMEOUT_GRACE, future).await,
        in_time => in_time,
    }
}

#[cfg(test)]
mod tests {
    use std::task::Poll;

    use super::*;

    /// Returns the result of a future that is ready at the `ready_at`th poll and never wakes its task.
    async fn outcome(ready_at: u32) -> Option<u32> {
        let mut looks = 0;
        let future = std::future::poll_fn(|_| {
            looks += 1;
            if looks >= ready_at { Poll::Ready(looks) } else { Poll::Pending }
        });
        timeout(Duration::from_secs(30), future).await.ok()
    }

    #[tokio::test(start_paused = true)]
    async fn a_timeout_counts_only_after_another_poll() {
        // The first poll is the start, the second the limit, the third the start of the grace period, the fourth its
        // end.
        for (ready_at, expected) in [(1, Some(1)), (2, Some(2)), (4, Some(4)), (5, None)] {
            assert_eq!(outcome(ready_at).await, expected, "{ready_at}");
        }
    }
}
