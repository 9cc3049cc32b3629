//! An access token.

use std::fmt;
use std::time::Duration;

use hyper::header::{AUTHORIZATION, HeaderValue};
use tokio::time::Instant;

use crate::Target;

const SCHEME: &str = "Bearer ";
/// The life of a token whose identity provider does not state it.
const UNSTATED_LIFE: Duration = Duration::from_secs(60);
/// The shortest life of a token, so that a provider with a wrong clock gets at most one request a second.
const MIN_LIFE: Duration = Duration::from_secs(1);
/// The longest life of a token. A longer one is replaced nevertheless.
const MAX_LIFE: Duration = Duration::from_secs(24 * 60 * 60);

/// An access token, as the header of requests. Clones share its text, and its `Debug` output hides it. Two tokens are
/// equal if their texts are.
#[derive(Clone)]
pub struct AccessToken {
    header: HeaderValue,
    refresh_at: Instant,
    ends_at: Instant,
}

impl AccessToken {
    /// Returns the token with this text, if a header can carry it. Its life begins with the request for it.
    pub(super) fn new(text: &str, requested_at: Instant, life: Option<Duration>) -> Option<Self> {
        let is_sendable = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        let mut header = HeaderValue::try_from(format!("{SCHEME}{text}")).ok().filter(|_| is_sendable)?;
        header.set_sensitive(true);
        let life = life.unwrap_or(UNSTATED_LIFE).clamp(MIN_LIFE, MAX_LIFE);
        let refresh_after = (life * 4 / 5).max(MIN_LIFE);
        Some(Self { header, refresh_at: requested_at + refresh_after, ends_at: requested_at + life })
    }

    /// Returns the target with this token in its `authorization` header, which replaces any other.
    pub fn authorize(&self, mut target: Target) -> Target {
        target.headers.insert(AUTHORIZATION, self.header.clone());
        target
    }

    /// Returns the text of the token, a secret.
    pub fn as_str(&self) -> &str {
        self.header.to_str().ok().and_then(|value| value.strip_prefix(SCHEME)).unwrap_or_default()
    }

    /// Reports whether the token need not be replaced yet: 80 % of its life have not passed.
    pub(super) fn is_fresh(&self, now: Instant) -> bool {
        now < self.refresh_at
    }

    pub(super) fn is_valid(&self, now: Instant) -> bool {
        now < self.ends_at
    }
}

impl PartialEq for AccessToken {
    fn eq(&self, other: &Self) -> bool {
        self.header == other.header
    }
}

impl Eq for AccessToken {}

impl fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccessToken").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_token_is_replaced_after_four_fifths_of_its_life_within_bounds() {
        let now = Instant::now();
        let seconds = Duration::from_secs_f64;
        for (life, refresh_after, ends_after) in [
            (Some(600.0), 480.0, 600.0),
            (Some(2.0), 1.6, 2.0),
            (Some(1.0), 1.0, 1.0),
            (Some(0.0), 1.0, 1.0),
            (Some(1e9), 69_120.0, 86_400.0),
            (None, 48.0, 60.0),
        ] {
            let token = AccessToken::new("text", now, life.map(seconds)).unwrap();
            let moment = Duration::from_millis(1);
            let (refresh_at, ends_at) = (now + seconds(refresh_after), now + seconds(ends_after));
            assert!(token.is_fresh(refresh_at - moment) && !token.is_fresh(refresh_at), "{life:?}");
            assert!(token.is_valid(ends_at - moment) && !token.is_valid(ends_at), "{life:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_text_that_a_header_cannot_carry_is_no_token() {
        for text in ["", "two words", "line\nbreak", "\u{e9}", "\u{7f}"] {
            assert_eq!(AccessToken::new(text, Instant::now(), None), None, "{text:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_token_is_a_hidden_header() {
        let token = AccessToken::new("abc.def-~+/=", Instant::now(), None).unwrap();
        let target = Target::new("https://key@tickets.example/").unwrap();
        let target = token.authorize(target);
        assert_eq!(token.as_str(), "abc.def-~+/=");
        assert_eq!(target.secrets(), ["abc.def-~+/="]);
        assert!(!format!("{token:?} {target:?}").contains("abc"));
    }
}
