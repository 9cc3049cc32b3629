//! Decides whether to retry at the same provider, and when.

use std::time::Duration;

use turnkit_core::{ProviderError, ProviderErrorKind as Kind};

/// Maximum number of attempts at a provider for one answer.
const MAX_TRIES: u32 = 3;
/// Maximum pause before the second attempt. It doubles with each further one.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// Maximum wait that a provider may ask for. If it asks for more, another provider is better.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(5);

/// Returns how long to wait after `tries` attempts, the last of which failed with `error`; `None` means no retry.
/// `jitter` returns a random duration up to its argument.
pub(super) fn pause(error: &ProviderError, tries: u32, jitter: impl Fn(Duration) -> Duration) -> Option<Duration> {
    if tries >= MAX_TRIES {
        return None;
    }
    let asked = match (error.kind, error.retry_after) {
        (_, Some(asked)) if asked > MAX_RETRY_AFTER => return None,
        (Kind::RateLimited, None) => return None,
        // A firewall, which rejects the same request every time.
        (Kind::BadResponse, _) if error.status == Some(403) => return None,
        (Kind::RateLimited | Kind::Overloaded, asked) => asked.unwrap_or_default(),
        (Kind::Network | Kind::Truncated | Kind::BadResponse | Kind::MalformedCall, _) => Duration::ZERO,
        // A call that used up its time limit would use it up again.
        _ => return None,
    };
    Some(asked + jitter(FIRST_PAUSE * 2_u32.pow(tries.saturating_sub(1))))
}

#[cfg(test)]
mod tests {
    use turnkit_core::Phase;

    use super::*;

    #[test]
    fn temporary_failures_are_retried_with_growing_pauses() {
        let seconds = Duration::from_secs;
        let whole = |most: Duration| most;
        for (kind, asked, tries, expected) in [
            (Kind::Overloaded, None, 1, Some(500)),
            (Kind::Overloaded, None, 2, Some(1_000)),
            (Kind::Overloaded, None, 3, None),
            (Kind::Overloaded, Some(seconds(2)), 1, Some(2_500)),
            (Kind::Overloaded, Some(seconds(6)), 1, None),
            (Kind::Network, None, 2, Some(1_000)),
            (Kind::Truncated, None, 1, Some(500)),
            (Kind::BadResponse, None, 1, Some(500)),
            (Kind::MalformedCall, None, 2, Some(1_000)),
            (Kind::MalformedCall, None, 3, None),
            (Kind::AnswerTooLarge, None, 1, None),
            (Kind::RateLimited, None, 1, None),
            (Kind::RateLimited, Some(seconds(1)), 1, Some(1_500)),
            (Kind::RateLimited, Some(seconds(60)), 1, None),
            (Kind::Timeout(Phase::FirstEvent), None, 1, None),
            (Kind::Auth, None, 1, None),
            (Kind::Unaffordable, None, 1, None),
            (Kind::Quota, Some(seconds(1)), 1, None),
            (Kind::BadRequest, None, 1, None),
        ] {
            let error = ProviderError { retry_after: asked, ..ProviderError::new(kind, "") };
            assert_eq!(pause(&error, tries, whole), expected.map(Duration::from_millis), "{kind:?} {asked:?} {tries}");
        }
        let forbidden = ProviderError { status: Some(403), ..ProviderError::new(Kind::BadResponse, "") };
        assert_eq!(pause(&forbidden, 1, whole), None);
    }
}
