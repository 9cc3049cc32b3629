//! The tokens with which callers have authenticated, for tools that act on their behalf.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lru::LruCache;
use turnkit_core::ports::{CallerToken, CallerTokens, Clock, NoCallerToken};
use turnkit_core::{Scope, Timestamp};

/// The largest number of owners, 1,024. The one whose token was not used for the longest time makes room.
const MAX_OWNERS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(1023);

/// Keeps the newest token of each of 1,024 owners in memory, until it expires. A server fills it if its
/// [`Settings`](crate::Settings) have one. Tools read it as [`CallerTokens`].
///
/// It is empty after a restart. An owner who sends API keys only has no token.
pub struct CallerTokenCache {
    clock: Arc<dyn Clock>,
    kept: Mutex<LruCache<Scope, Kept>>,
}

/// A verified token, as a caller has sent it.
pub(crate) struct SentToken<'a> {
    pub(crate) text: &'a str,
    pub(crate) issued_at: Option<Timestamp>,
    pub(crate) expires_at: Timestamp,
}

/// The newest token of an owner.
struct Kept {
    /// `None` once it has expired.
    text: Option<Arc<str>>,
    issued_at: Option<Timestamp>,
    expires_at: Timestamp,
}

impl CallerTokenCache {
    /// Creates an empty cache. Tokens expire by the time of `clock`.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, kept: Mutex::new(LruCache::new(MAX_OWNERS)) }
    }

    /// Keeps a verified token of this owner, unless there is a valid one that was issued later.
    pub(crate) fn keep(&self, owner: &Scope, token: &SentToken<'_>) {
        let now = self.clock.now();
        let mut kept = self.lock();
        if kept.get_mut(owner).is_some_and(|known| known.stays(token, now)) {
            return;
        }
        for (_, known) in kept.iter_mut() {
            known.expire(now);
        }
        let SentToken { text, issued_at, expires_at } = *token;
        // A token that has expired within the leeway is of no use, but its owner reads that another one is needed.
        let text = (now < expires_at).then(|| text.into());
        kept.put(owner.clone(), Kept { text, issued_at, expires_at });
    }

    fn lock(&self) -> MutexGuard<'_, LruCache<Scope, Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CallerTokens for CallerTokenCache {
    fn newest(&self, owner: &Scope) -> Result<CallerToken, NoCallerToken> {
        let now = self.clock.now();
        let mut kept = self.lock();
        let known = kept.get_mut(owner).ok_or(NoCallerToken::Missing)?;
        known.expire(now);
        let text = known.text.clone().ok_or(NoCallerToken::Expired)?;
        Ok(CallerToken::new(text, known.expires_at.since(now)))
    }
}

impl Kept {
    /// Reports whether this token stays although `token` has arrived. A client may send an older token after a newer
    /// one, because two of its requests can be on their way at once.
    fn stays(&mut self, token: &SentToken<'_>, now: Timestamp) -> bool {
        self.expire(now);
        let Some(text) = &self.text else { return false };
        let was_issued_later = self.issued_at.zip(token.issued_at).is_some_and(|(own, sent)| own > sent);
        **text == *token.text || was_issued_later || token.expires_at <= now
    }

    /// Forgets the text of a token that has expired.
    fn expire(&mut self, now: Timestamp) {
        if self.expires_at <= now {
            self.text = None;
        }
    }
}

/// Shows neither tokens nor their owners.
impl fmt::Debug for CallerTokenCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallerTokenCache").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};
    use std::time::Duration;

    use super::*;

    /// A clock whose seconds the test sets.
    #[derive(Default)]
    struct Seconds(AtomicI64);

    impl Clock for Seconds {
        fn now(&self) -> Timestamp {
            at(self.0.load(Ordering::SeqCst))
        }
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(seconds * 1000)
    }

    fn cache() -> (CallerTokenCache, Arc<Seconds>) {
        let clock = Arc::new(Seconds::default());
        (CallerTokenCache::new(Arc::clone(&clock) as Arc<dyn Clock>), clock)
    }

    fn keep(cache: &CallerTokenCache, owner: &Scope, text: &str, issued_at: Option<i64>, expires_at: i64) {
        let token = SentToken { text, issued_at: issued_at.map(at), expires_at: at(expires_at) };
        cache.keep(owner, &token);
    }

    fn newest(cache: &CallerTokenCache, owner: &Scope) -> Result<String, NoCallerToken> {
        cache.newest(owner).map(|token| token.as_str().to_owned())
    }

    #[test]
    fn a_token_is_returned_to_its_owner_only_and_until_it_expires() {
        let (cache, clock) = cache();
        let anna = Scope::new("acme", "anna");
        keep(&cache, &anna, "of-anna", None, 60);
        for other in [Scope::new("acme", "ben"), Scope::new("other", "anna")] {
            assert_eq!(newest(&cache, &other), Err(NoCallerToken::Missing), "{other:?}");
        }
        clock.0.store(59, Ordering::SeqCst);
        let token = cache.newest(&anna).unwrap();
        assert_eq!((token.as_str(), token.valid_for()), ("of-anna", Duration::from_secs(1)));
        clock.0.store(60, Ordering::SeqCst);
        assert_eq!(newest(&cache, &anna), Err(NoCallerToken::Expired));
        keep(&cache, &anna, "newer", None, 120);
        assert_eq!(newest(&cache, &anna).as_deref(), Ok("newer"));
    }

    #[test]
    fn the_newest_token_counts() {
        // Each token: its text, when it was issued, and when it expires. The time is 10.
        for (first, second, expected) in [
            (("a", Some(1), 90), ("b", Some(2), 60), Ok("b")),
            (("a", Some(2), 60), ("b", Some(1), 90), Ok("a")),
            (("a", Some(1), 60), ("b", Some(1), 60), Ok("b")),
            (("a", None, 90), ("b", Some(1), 60), Ok("b")),
            (("a", Some(9), 90), ("b", None, 60), Ok("b")),
            (("a", Some(9), 5), ("b", Some(1), 60), Ok("b")),
            (("a", Some(1), 60), ("b", Some(2), 10), Ok("a")),
            (("a", Some(1), 5), ("b", Some(2), 10), Err(NoCallerToken::Expired)),
        ] {
            let (cache, clock) = cache();
            let anna = Scope::new("acme", "anna");
            keep(&cache, &anna, first.0, first.1, first.2);
            clock.0.store(10, Ordering::SeqCst);
            keep(&cache, &anna, second.0, second.1, second.2);
            assert_eq!(newest(&cache, &anna).as_deref(), expected.as_ref().copied(), "{first:?} {second:?}");
        }
    }

    #[test]
    fn the_number_of_owners_is_limited_and_expired_tokens_are_dropped() {
        let (cache, clock) = cache();
        let owner = |number: usize| Scope::new("acme", format!("user-{number}"));
        for number in 0..=MAX_OWNERS.get() {
            keep(&cache, &owner(number), "token", None, 60);
        }
        assert_eq!(newest(&cache, &owner(0)), Err(NoCallerToken::Missing));
        assert_eq!(newest(&cache, &owner(1)).as_deref(), Ok("token"));
        clock.0.store(60, Ordering::SeqCst);
        keep(&cache, &owner(1), "newer", None, 90);
        keep(&cache, &owner(2), "expired within the leeway", None, 59);
        let texts = cache.lock().iter().filter(|(_, kept)| kept.text.is_some()).count();
        assert_eq!(texts, 1);
        assert_eq!(newest(&cache, &owner(2)), Err(NoCallerToken::Expired));
        assert_eq!(format!("{cache:?}"), "CallerTokenCache { .. }");
    }
}
