//! Pauses between failed requests.

use std::time::Duration;

use tokio::time::Instant;

use super::error::TokenError;

/// The pause after the first failure. It doubles with each further one.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// The failures since the last success, and the pause after the last of them.
#[derive(Default)]
pub(super) struct Backoff {
    failures: u32,
    pause: Option<Pause>,
}

struct Pause {
    until: Instant,
    error: TokenError,
}

impl Backoff {
    /// Returns the last error while no further request may be sent.
    pub(super) fn error(&self, now: Instant) -> Option<TokenError> {
        self.pause.as_ref().filter(|pause| now < pause.until).map(|pause| pause.error.clone())
    }

    /// Begins a pause, unless there is one: requests that were sent together and failed count once.
    pub(super) fn failed(&mut self, error: TokenError, at: Instant) {
        if self.error(at).is_none() {
            let doubled = FIRST_PAUSE * 2_u32.pow(self.failures.min(6));
            self.failures = self.failures.saturating_add(1);
            self.pause = Some(Pause { until: at + doubled.min(MAX_PAUSE), error });
        }
    }

    pub(super) fn succeeded(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(status: u16) -> TokenError {
        TokenError::Unavailable { host: "login.example".to_owned(), status }
    }

    #[tokio::test(start_paused = true)]
    async fn pauses_grow_from_one_second_to_a_minute_and_end_with_a_success() {
        let (mut backoff, mut now) = (Backoff::default(), Instant::now());
        for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
            assert_eq!(backoff.error(now), None);
            backoff.failed(failure(500), now);
            now += Duration::from_secs(seconds);
            assert_eq!(backoff.error(now - Duration::from_millis(1)), Some(failure(500)), "{seconds}");
        }
        backoff.succeeded();
        backoff.failed(failure(500), now);
        assert_eq!(backoff.error(now + Duration::from_secs(1)), None);
    }

    #[tokio::test(start_paused = true)]
    async fn failures_during_a_pause_do_not_extend_it() {
        let (mut backoff, now) = (Backoff::default(), Instant::now());
        for status in [500, 501, 502] {
            backoff.failed(failure(status), now);
        }
        assert_eq!(backoff.error(now), Some(failure(500)));
        assert_eq!(backoff.error(now + Duration::from_secs(1)), None);
    }
}
