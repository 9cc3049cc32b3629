//! The tokens with which callers have authenticated, for tools that act on their behalf.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lru::LruCache;
use sha2::{Digest as _, Sha256};
use turnkit_core::ports::{CallerToken, CallerTokens, Clock, NoCallerToken};
use turnkit_core::{Scope, Timestamp};

/// The largest number of owners, 1,024. The one whose token was not used for the longest time makes room.
const MAX_OWNERS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(1023);

/// Keeps the newest token of each of 1,024 owners in memory, until it expires or the identity provider refuses it. A
/// server fills it if its [`Settings`](crate::Settings) have one. Tools read it as [`CallerTokens`].
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
    /// `None` once it has expired, or was refused.
    text: Option<Arc<str>>,
    issued_at: Option<Timestamp>,
    expires_at: Timestamp,
    /// The token that the identity provider refused last. Any other one takes its place.
    refused: Option<Refused>,
}

/// A token that the identity provider has refused.
struct Refused {
    /// The SHA-256 of the token, which need not be kept itself.
    digest: [u8; 32],
    /// The end of the token.
    until: Timestamp,
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
        let refused = kept.get_mut(owner).and_then(|known| known.refused.take());
        kept.put(owner.clone(), Kept { text, issued_at, expires_at, refused });
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
        match &known.text {
            Some(text) => Ok(CallerToken::new(Arc::clone(text), known.expires_at.since(now))),
            None if known.refused.is_some() => Err(NoCallerToken::Refused),
            None => Err(NoCallerToken::Expired),
        }
    }

    fn refused(&self, owner: &Scope, token: &CallerToken) {
        let mut kept = self.lock();
        // A newer token may have taken its place since.
        let known = kept.peek_mut(owner).filter(|known| known.text.as_deref() == Some(token.as_str()));
        if let Some(known) = known {
            known.text = None;
            known.refused = Some(Refused { digest: digest(token.as_str()), until: known.expires_at });
        }
    }
}

impl Kept {
    /// Reports whether this token stays although `token` has arrived. A client may send an older token after a newer
    /// one, because two of its requests can be on their way at once. A token that was refused is tried again only if
    /// there is no other one.
    fn stays(&mut self, token: &SentToken<'_>, now: Timestamp) -> bool {
        self.expire(now);
        let Some(text) = &self.text else { return false };
        let was_issued_later = self.issued_at.zip(token.issued_at).is_some_and(|(own, sent)| own > sent);
        let is_better = was_issued_later || self.has_refused(token.text);
        **text == *token.text || token.expires_at <= now || (is_better && !self.has_refused(text))
    }

    fn has_refused(&self, text: &str) -> bool {
        self.refused.as_ref().is_some_and(|refused| refused.digest == digest(text))
    }

    /// Forgets a token that has expired, and a refused one that would have expired.
    fn expire(&mut self, now: Timestamp) {
        if self.expires_at <= now {
            self.text = None;
        }
        if self.refused.as_ref().is_some_and(|refused| refused.until <= now) {
            self.refused = None;
        }
    }
}

fn digest(text: &str) -> [u8; 32] {
    Sha256::digest(text).into()
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
    fn a_refused_token_gives_way_to_any_other_one() {
        let (cache, clock) = cache();
        let anna = Scope::new("acme", "anna");
        let refuse = || cache.refused(&anna, &cache.newest(&anna).unwrap());
        keep(&cache, &anna, "revoked", Some(5), 60);
        refuse();
        assert_eq!(newest(&cache, &anna), Err(NoCallerToken::Refused));
        // The refusal may have been temporary, so the token is tried again while there is no other one.
        keep(&cache, &anna, "revoked", Some(5), 60);
        assert_eq!(newest(&cache, &anna).as_deref(), Ok("revoked"));
        for _ in 0..2 {
            keep(&cache, &anna, "older", Some(1), 90);
            assert_eq!(newest(&cache, &anna).as_deref(), Ok("older"));
            keep(&cache, &anna, "revoked", Some(5), 60);
            assert_eq!(newest(&cache, &anna).as_deref(), Ok("older"));
        }
        cache.refused(&anna, &CallerToken::new("revoked", Duration::ZERO));
        assert_eq!(newest(&cache, &anna).as_deref(), Ok("older"), "it was not the one that was refused");
        clock.0.store(60, Ordering::SeqCst);
        keep(&cache, &anna, "newest", Some(50), 90);
        assert_eq!(newest(&cache, &anna).as_deref(), Ok("newest"));
        refuse();
        clock.0.store(90, Ordering::SeqCst);
        assert_eq!(newest(&cache, &anna), Err(NoCallerToken::Expired));
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
