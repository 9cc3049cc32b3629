//! How often a provider may be asked, in requests and in tokens.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex as Lock, PoisonError};
use std::time::Duration;

use tokio::sync::{Mutex as Queue, Notify};
use tokio::time::{Instant, timeout};

/// How often a provider may be asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RateLimit {
    /// How many requests a second; absent: as many as there are.
    pub requests_per_second: Option<f64>,
    /// How many requests at once, after a while without any.
    pub burst: u32,
    /// How many tokens a minute, of requests and answers; absent: as many as there are.
    pub tokens_per_minute: Option<u32>,
}

/// Something that fills again by and by. Time is passed in.
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

    /// How long until it holds `amount`; of more than it can hold, until it is full.
    fn wait(&mut self, amount: f64, now: Instant) -> Duration {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.level = (self.level + passed * self.per_second).min(self.capacity);
        self.at = self.at.max(now);
        let missing = amount.min(self.capacity) - self.level;
        // A billionth of a request is no reason to wait.
        if missing <= 1e-9 {
            return Duration::ZERO;
        }
        Duration::try_from_secs_f64(missing / self.per_second).unwrap_or(Duration::MAX)
    }

    /// Takes `amount`, or gives it back if it is negative. What was taken and is not there is owed, up to what comes in an
    /// hour: a server that miscounts is not left alone for ever.
    fn take(&mut self, amount: f64) {
        self.level = (self.level - amount).min(self.capacity).max(-3600.0 * self.per_second);
    }
}

/// The limits of one provider.
#[derive(Debug)]
pub(super) struct Limiter {
    /// Who is at its head waits for the buckets; the others wait for it.
    queue: Queue<()>,
    waiting: AtomicUsize,
    buckets: Lock<Buckets>,
    /// Something was given back: who is at the head of the queue need not wait as long as was thought.
    given_back: Notify,
    per_second: Option<f64>,
    /// The most tokens there are at once, if they are counted.
    most_tokens: Option<f64>,
}

/// What a request takes of the limits of a provider. Dropped before it was sent, it gives all of it back.
#[derive(Debug)]
pub(super) struct Taken {
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

    /// Takes what a request needs if it is there, or says when it will be.
    fn take(&mut self, tokens: f64, now: Instant) -> Result<(), Duration> {
        let wait = self.wait(tokens, now);
        if wait > Duration::ZERO {
            return Err(wait);
        }
        self.change(1.0, tokens);
        Ok(())
    }

    /// Takes so much, whether it is there or not, or gives it back if it is negative.
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
    /// Limits that nothing has been taken from.
    pub(super) fn new(limit: RateLimit, now: Instant) -> Self {
        let per_second = limit.requests_per_second;
        let requests = per_second.map(|rate| Bucket::new(f64::from(limit.burst.max(1)), rate, now));
        let tokens = limit.tokens_per_minute.map(f64::from).map(|tokens| Bucket::new(tokens, tokens / 60.0, now));
        Self {
            queue: Queue::new(()),
            waiting: AtomicUsize::new(0),
            buckets: Lock::new(Buckets { requests, tokens }),
            given_back: Notify::new(),
            per_second,
            most_tokens: limit.tokens_per_minute.map(f64::from),
        }
    }

    /// Whether tokens are counted.
    pub(super) fn counts_tokens(&self) -> bool {
        self.most_tokens.is_some()
    }

    /// Takes a request of so many tokens if it may be sent now and nobody waits.
    pub(super) fn try_take(self: &Arc<Self>, tokens: f64) -> Option<Taken> {
        let _head = self.queue.try_lock().ok()?;
        self.take_now(tokens).ok()
    }

    /// Takes a request of so many tokens as soon as it may be sent: who came first is first. Dropping the future takes
    /// nothing.
    pub(super) async fn take(self: &Arc<Self>, tokens: f64) -> Taken {
        let _counted = Counted::among(&self.waiting);
        let _head = self.queue.lock().await;
        loop {
            match self.take_now(tokens) {
                Ok(taken) => return taken,
                Err(wait) => drop(timeout(wait, self.given_back.notified()).await),
            }
        }
    }

    fn take_now(self: &Arc<Self>, tokens: f64) -> Result<Taken, Duration> {
        // A guess that is far too high must not become a debt for everyone: of more than there ever is, all is taken.
        let tokens = self.most_tokens.map_or(0.0, |most| tokens.min(most));
        self.with(|buckets| buckets.take(tokens, Instant::now()))?;
        Ok(Taken { limiter: Arc::clone(self), tokens, is_sent: false })
    }

    /// How long somebody who comes now will wait, at least: even if all who wait here are served elsewhere first.
    pub(super) fn soonest(&self, tokens: f64) -> Duration {
        self.with(|buckets| buckets.wait(tokens, Instant::now()))
    }

    /// About how long somebody who comes now will wait if all who wait here stay.
    pub(super) fn outlook(&self, tokens: f64) -> Duration {
        let before = self.waiting() as f64;
        let queue = self.per_second.and_then(|rate| Duration::try_from_secs_f64(before / rate).ok());
        self.soonest(tokens).saturating_add(queue.unwrap_or_default())
    }

    /// How many wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    fn change(&self, requests: f64, tokens: f64) {
        self.with(|buckets| buckets.change(requests, tokens));
        if requests < 0.0 || tokens < 0.0 {
            self.given_back.notify_one();
        }
    }

    fn with<T>(&self, look: impl FnOnce(&mut Buckets) -> T) -> T {
        look(&mut self.buckets.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Taken {
    /// The request is on its way: its provider reads it, whether somebody listens to the answer or not.
    pub(super) fn sent(&mut self) {
        self.is_sent = true;
    }

    /// So many tokens were used for it.
    pub(super) fn used(&mut self, tokens: f64) {
        let more = tokens - std::mem::replace(&mut self.tokens, tokens);
        self.limiter.change(0.0, more);
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        if !self.is_sent {
            self.limiter.change(-1.0, -self.tokens);
        }
    }
}

/// Counts somebody among those who wait, until it is dropped.
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

    /// Sends a request as soon as it may be.
    async fn send(limiter: &Arc<Limiter>, tokens: f64) -> Taken {
        let mut taken = limiter.take(tokens).await;
        taken.sent();
        taken
    }

    async fn when(limiter: &Arc<Limiter>, tokens: f64, start: Instant) -> u128 {
        send(limiter, tokens).await;
        start.elapsed().as_millis()
    }

    fn may_send(limiter: &Arc<Limiter>) -> bool {
        limiter.try_take(0.0).map(|mut taken| taken.sent()).is_some()
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
    async fn who_leaves_takes_nothing_and_nobody_overtakes_those_who_wait() {
        let (limiter, start) = (limiter(1.0, 1), Instant::now());
        assert!(may_send(&limiter));
        let mut leaving: Vec<_> = (0..100).map(|_| Box::pin(limiter.take(0.0))).collect();
        leaving.iter_mut().for_each(|waiting| assert!(waiting.now_or_never().is_none()));
        assert_eq!(limiter.waiting(), 100);
        assert!(limiter.outlook(0.0) >= Duration::from_secs(100));
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
        let mut taken = send(&limiter, 100.0).await;
        taken.used(600.0);
        assert!(when(&limiter, 10.0, start).await.abs_diff(1_000) <= 2);
        // What a server miscounts is owed for an hour at most.
        taken.used(f64::MAX);
        assert!(limiter.outlook(0.0) <= Duration::from_secs(3600));
        taken.used(0.0);
        // More than there ever is: as soon as there is all there can be, and no more is owed.
        assert!(when(&limiter, 9_999.0, start).await.abs_diff(1_000) <= 5);
        assert!(when(&limiter, 10.0, start).await.abs_diff(2_000) <= 5);
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_not_sent_is_given_back_and_who_waits_for_it_waits_no_longer() {
        for (limiter, tokens) in [(limiter(0.1, 1), 0.0), (of_tokens(600), 100.0)] {
            let start = Instant::now();
            let taken = limiter.take(600.0).await;
            let mut waiting = Box::pin(when(&limiter, tokens, start));
            assert!((&mut waiting).now_or_never().is_none());
            tokio::time::advance(Duration::from_secs(1)).await;
            drop(taken);
            assert_eq!(waiting.await, 1_000);
        }
    }
}
