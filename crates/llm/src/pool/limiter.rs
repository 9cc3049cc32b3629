//! Rate limits of a provider, in requests and in tokens.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex as Lock, PoisonError};
use std::time::Duration;

use tokio::sync::{Mutex as Queue, Notify};
use tokio::time::{Instant, timeout};

/// Rate limit of a provider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RateLimit {
    /// Requests per second; `None` means unlimited.
    pub requests_per_second: Option<f64>,
    /// Maximum number of requests at once after an idle period.
    pub burst: u32,
    /// Tokens per minute, of requests and answers; `None` means unlimited.
    pub tokens_per_minute: Option<u32>,
}

/// A token bucket. The caller passes in the time.
#[derive(Debug)]
struct Bucket {
    capacity: f64,
    per_second: f64,
    level: f64,
    at: Instant,
}

impl Bucket {
    fn new(capacity: f64, per_second: f64, now: Instant) -> Self {
        Self { capacity, per_second, level: capacity, at: now }
    }

    /// Returns how long until the bucket holds `amount`. If that exceeds the capacity, returns how long until it is
    /// full.
    fn wait(&mut self, amount: f64, now: Instant) -> Duration {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.level = (self.level + passed * self.per_second).min(self.capacity);
        self.at = self.at.max(now);
        let missing = amount.min(self.capacity) - self.level;
        // A billionth of a request is not worth waiting for.
        if missing <= 1e-9 {
            return Duration::ZERO;
        }
        Duration::try_from_secs_f64(missing / self.per_second).unwrap_or(Duration::MAX)
    }

    /// Takes `amount`, or returns it if negative. The level may become negative, by at most an hour's refill, so that a
    /// server that miscounts is not blocked forever.
    fn take(&mut self, amount: f64) {
        self.level = (self.level - amount).min(self.capacity).max(-3600.0 * self.per_second);
    }
}

/// The rate limits of one provider.
#[derive(Debug)]
pub(super) struct Limiter {
    /// The request at the head waits for the buckets; the others wait for the head.
    queue: Queue<()>,
    waiting: AtomicUsize,
    buckets: Lock<Buckets>,
    /// Notified when an amount is returned, because the head of the queue may then wait less.
    returned: Notify,
    per_second: Option<f64>,
    /// The capacity of the token bucket, if tokens are limited.
    max_tokens: Option<f64>,
}

/// The amount that a request takes from a provider's rate limits. If dropped before the request is sent, all of it is
/// returned.
#[derive(Debug)]
pub(super) struct RatePermit {
    limiter: Arc<Limiter>,
    tokens: f64,
    is_sent: bool,
}

#[derive(Debug)]
struct Buckets {
    requests: Option<Bucket>,
    tokens: Option<Bucket>,
}

impl Buckets {
    fn wait(&mut self, tokens: f64, now: Instant) -> Duration {
        let requests = self.requests.as_mut().map_or(Duration::ZERO, |bucket| bucket.wait(1.0, now));
        let tokens = self.tokens.as_mut().map_or(Duration::ZERO, |bucket| bucket.wait(tokens, now));
        requests.max(tokens)
    }

    /// Takes the amount for a request if it is available. Otherwise returns how long to wait.
    fn take(&mut self, tokens: f64, now: Instant) -> Result<(), Duration> {
        let wait = self.wait(tokens, now);
        if wait > Duration::ZERO {
            return Err(wait);
        }
        self.change(1.0, tokens);
        Ok(())
    }

    /// Takes an amount even if it is not available, or returns it if negative.
    fn change(&mut self, requests: f64, tokens: f64) {
        if let Some(bucket) = &mut self.requests {
            bucket.take(requests);
        }
        if let Some(bucket) = &mut self.tokens {
            bucket.take(tokens);
        }
    }
}

impl Limiter {
    /// Creates limits with full buckets.
    pub(super) fn new(limit: RateLimit, now: Instant) -> Self {
        let per_second = limit.requests_per_second;
        let requests = per_second.map(|rate| Bucket::new(f64::from(limit.burst.max(1)), rate, now));
        let tokens = limit.tokens_per_minute.map(f64::from).map(|tokens| Bucket::new(tokens, tokens / 60.0, now));
        Self {
            queue: Queue::new(()),
            waiting: AtomicUsize::new(0),
            buckets: Lock::new(Buckets { requests, tokens }),
            returned: Notify::new(),
            per_second,
            max_tokens: limit.tokens_per_minute.map(f64::from),
        }
    }

    /// Reports whether tokens are limited.
    pub(super) fn counts_tokens(&self) -> bool {
        self.max_tokens.is_some()
    }

    /// Takes the amount for a request of this many tokens if it may be sent now and no other request waits.
    pub(super) fn try_take(self: &Arc<Self>, tokens: f64) -> Option<RatePermit> {
        let _head = self.queue.try_lock().ok()?;
        self.take_now(tokens).ok()
    }

    /// Waits until a request of this many tokens may be sent and takes its amount. Requests are served in order of
    /// arrival. Dropping the future takes nothing.
    pub(super) async fn take(self: &Arc<Self>, tokens: f64) -> RatePermit {
        let _counted = Counted::among(&self.waiting);
        let _head = self.queue.lock().await;
        loop {
            match self.take_now(tokens) {
                Ok(permit) => return permit,
                Err(wait) => drop(timeout(wait, self.returned.notified()).await),
            }
        }
    }

    fn take_now(self: &Arc<Self>, tokens: f64) -> Result<RatePermit, Duration> {
        // An estimate that is far too high must not become a debt for all requests: it is capped at the capacity.
        let tokens = self.max_tokens.map_or(0.0, |max| tokens.min(max));
        self.with(|buckets| buckets.take(tokens, Instant::now()))?;
        Ok(RatePermit { limiter: Arc::clone(self), tokens, is_sent: false })
    }

    /// Lower bound on the wait of a new request, even if every queued request moves to another provider.
    pub(super) fn min_wait(&self, tokens: f64) -> Duration {
        self.with(|buckets| buckets.wait(tokens, Instant::now()))
    }

    /// Approximate wait of a new request if every queued request stays.
    pub(super) fn estimated_wait(&self, tokens: f64) -> Duration {
        let before = self.waiting() as f64;
        let queue = self.per_second.and_then(|rate| Duration::try_from_secs_f64(before / rate).ok());
        self.min_wait(tokens).saturating_add(queue.unwrap_or_default())
    }

    /// Returns the number of queued requests.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    fn change(&self, requests: f64, tokens: f64) {
        self.with(|buckets| buckets.change(requests, tokens));
        if requests < 0.0 || tokens < 0.0 {
            self.returned.notify_one();
        }
    }

    fn with<T>(&self, look: impl FnOnce(&mut Buckets) -> T) -> T {
        look(&mut self.buckets.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl RatePermit {
    /// Marks the request as sent. The provider reads it even if the caller drops the answer.
    pub(super) fn mark_sent(&mut self) {
        self.is_sent = true;
    }

    /// Replaces the estimate by the tokens actually used.
    pub(super) fn set_tokens(&mut self, tokens: f64) {
        let more = tokens - std::mem::replace(&mut self.tokens, tokens);
        self.limiter.change(0.0, more);
    }
}

impl Drop for RatePermit {
    fn drop(&mut self) {
        if !self.is_sent {
            self.limiter.change(-1.0, -self.tokens);
        }
    }
}

/// Counts a request as queued until dropped.
struct Counted<'a>(&'a AtomicUsize);

impl<'a> Counted<'a> {
    fn among(waiting: &'a AtomicUsize) -> Self {
        waiting.fetch_add(1, Ordering::Relaxed);
        Self(waiting)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use futures_util::future::join_all;

    use super::*;

    fn limiter(requests_per_second: f64, burst: u32) -> Arc<Limiter> {
        let limit = RateLimit { requests_per_second: Some(requests_per_second), burst, tokens_per_minute: None };
        Arc::new(Limiter::new(limit, Instant::now()))
    }

    /// Sends a request as soon as the limits allow.
    async fn send(limiter: &Arc<Limiter>, tokens: f64) -> RatePermit {
        let mut permit = limiter.take(tokens).await;
        permit.mark_sent();
        permit
    }

    async fn when(limiter: &Arc<Limiter>, tokens: f64, start: Instant) -> u128 {
        send(limiter, tokens).await;
        start.elapsed().as_millis()
    }

    fn may_send(limiter: &Arc<Limiter>) -> bool {
        limiter.try_take(0.0).map(|mut permit| permit.mark_sent()).is_some()
    }

    #[tokio::test(start_paused = true)]
    async fn a_burst_goes_at_once_and_the_rest_at_the_rate_in_the_order_they_came() {
        let (limiter, start) = (limiter(2.0, 2), Instant::now());
        let times = join_all((0..5).map(|_| when(&limiter, 0.0, start))).await;
        for (time, expected) in times.iter().zip([0, 0, 500, 1_000, 1_500]) {
            assert!(time.abs_diff(expected) <= 2, "{times:?}");
        }
        tokio::time::sleep(Duration::from_secs(10)).await;
        assert!(may_send(&limiter) && may_send(&limiter) && !may_send(&limiter), "no more than the burst");
    }

    #[tokio::test(start_paused = true)]
    async fn a_cancelled_wait_takes_nothing_and_new_requests_do_not_overtake() {
        let (limiter, start) = (limiter(1.0, 1), Instant::now());
        assert!(may_send(&limiter));
        let mut leaving: Vec<_> = (0..100).map(|_| Box::pin(limiter.take(0.0))).collect();
        leaving.iter_mut().for_each(|waiting| assert!(waiting.now_or_never().is_none()));
        assert_eq!(limiter.waiting(), 100);
        assert!(limiter.estimated_wait(0.0) >= Duration::from_secs(100));
        tokio::time::advance(Duration::from_millis(1_001)).await;
        assert!(!may_send(&limiter), "others wait");
        drop(leaving);
        assert_eq!(limiter.waiting(), 0);
        assert_eq!(when(&limiter, 0.0, start).await, 1_001);
    }

    fn of_tokens(tokens_per_minute: u32) -> Arc<Limiter> {
        let limit = RateLimit { requests_per_second: None, burst: 1, tokens_per_minute: Some(tokens_per_minute) };
        Arc::new(Limiter::new(limit, Instant::now()))
    }

    #[tokio::test(start_paused = true)]
    async fn tokens_are_counted_as_they_turn_out() {
        let (limiter, start) = (of_tokens(600), Instant::now());
        let mut permit = send(&limiter, 100.0).await;
        permit.set_tokens(600.0);
        assert!(when(&limiter, 10.0, start).await.abs_diff(1_000) <= 2);
        // A miscount is owed for an hour at most.
        permit.set_tokens(f64::MAX);
        assert!(limiter.estimated_wait(0.0) <= Duration::from_secs(3600));
        permit.set_tokens(0.0);
        // A request larger than the capacity is sent as soon as the bucket is full, and leaves no further debt.
        assert!(when(&limiter, 9_999.0, start).await.abs_diff(1_000) <= 5);
        assert!(when(&limiter, 10.0, start).await.abs_diff(2_000) <= 5);
    }

    #[tokio::test(start_paused = true)]
    async fn an_unsent_request_returns_its_share_and_wakes_the_next_waiter() {
        for (limiter, tokens) in [(limiter(0.1, 1), 0.0), (of_tokens(600), 100.0)] {
            let start = Instant::now();
            let permit = limiter.take(600.0).await;
            let mut waiting = Box::pin(when(&limiter, tokens, start));
            assert!((&mut waiting).now_or_never().is_none());
            tokio::time::advance(Duration::from_secs(1)).await;
            drop(permit);
            assert_eq!(waiting.await, 1_000);
        }
    }
}
