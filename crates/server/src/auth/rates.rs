//! The rate limit of each user.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use turnkit_core::Scope;

use crate::settings::RateLimit;

/// The number of tracked users above which idle ones are removed.
const CLEANUP_THRESHOLD: usize = 1024;

/// The request rate of each user. The table holds at most one entry for each user with a key or a token and a recent
/// request.
pub(crate) struct Rates {
    limit: Option<RateLimit>,
    /// The time at which each user's last request would have been due at the permitted pace. A user without an entry
    /// has sent no request lately.
    paced: Mutex<HashMap<Scope, Instant>>,
}

impl Rates {
    /// Creates a table that enforces `limit`. With `None`, rates are not limited.
    pub(crate) fn new(limit: Option<RateLimit>) -> Self {
        Self { limit, paced: Mutex::default() }
    }

    /// Counts a request of `user`. If the user exceeds the limit, returns the time to wait; such a request does not
    /// count.
    pub(super) fn check(&self, user: &Scope, now: Instant) -> Result<(), Duration> {
        let Some(RateLimit { requests_per_second, burst }) = self.limit else { return Ok(()) };
        let pace = Duration::from_secs(1) / requests_per_second.get();
        let ahead = pace * (burst.get() - 1);
        let mut paced = self.paced.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = paced.get_mut(user) {
            let due = (*last).max(now);
            if due > now + ahead {
                return Err(due - now - ahead);
            }
            *last = due + pace;
            return Ok(());
        }
        if paced.len() >= CLEANUP_THRESHOLD {
            paced.retain(|_, last| *last > now);
        }
        paced.insert(user.clone(), now + pace);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    fn rates(requests_per_second: u32, burst: u32) -> Rates {
        let number = |number| NonZeroU32::new(number).unwrap();
        Rates::new(Some(RateLimit { requests_per_second: number(requests_per_second), burst: number(burst) }))
    }

    #[test]
    fn a_user_may_ask_in_a_burst_and_then_at_its_pace() {
        let (rates, ada, mut now) = (rates(2, 3), Scope::new("local", "ada"), Instant::now());
        for _ in 0..3 {
            assert_eq!(rates.check(&ada, now), Ok(()));
        }
        for _ in 0..3 {
            assert_eq!(rates.check(&ada, now), Err(Duration::from_millis(500)));
            assert_eq!(rates.check(&ada, now + Duration::from_millis(499)), Err(Duration::from_millis(1)));
            now += Duration::from_millis(500);
            assert_eq!(rates.check(&ada, now), Ok(()));
        }
        assert_eq!(rates.check(&Scope::new("local", "grace"), now), Ok(()), "another user is not concerned");
        now += Duration::from_secs(60);
        for _ in 0..3 {
            assert_eq!(rates.check(&ada, now), Ok(()));
        }
        assert!(rates.check(&ada, now).is_err());
    }

    #[test]
    fn without_a_limit_no_request_waits() {
        let (rates, ada, now) = (Rates::new(None), Scope::new("local", "ada"), Instant::now());
        assert!((0..1000).all(|_| rates.check(&ada, now) == Ok(())));
        assert!(rates.paced.lock().unwrap().is_empty());
    }

    #[test]
    fn idle_users_are_removed() {
        let (rates, mut now) = (rates(1, 1), Instant::now());
        for number in 0..10 * CLEANUP_THRESHOLD {
            now += Duration::from_secs(1);
            assert_eq!(rates.check(&Scope::new("local", number.to_string()), now), Ok(()));
        }
        assert!(rates.paced.lock().unwrap().len() <= CLEANUP_THRESHOLD);
    }
}
