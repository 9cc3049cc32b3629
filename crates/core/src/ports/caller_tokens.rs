//! The access tokens with which callers have authenticated.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::Scope;

/// The access token that a caller has sent. Its `Debug` output hides it, and it has no serialised form: it must reach
/// neither storage nor a log.
#[derive(Clone)]
pub struct CallerToken {
    text: Arc<str>,
    valid_for: Duration,
}

impl CallerToken {
    /// Creates a token that expires after `valid_for`.
    pub fn new(text: impl Into<Arc<str>>, valid_for: Duration) -> Self {
        Self { text: text.into(), valid_for }
    }

    /// Returns the text of the token, a secret.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the time until the token expires, counted from the request for it.
    pub fn valid_for(&self) -> Duration {
        self.valid_for
    }
}

impl fmt::Debug for CallerToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallerToken").field("valid_for", &self.valid_for).finish_non_exhaustive()
    }
}

/// Provides the tokens of callers to tools that act on behalf of the owner of a session.
///
/// ```
/// use std::time::Duration;
/// use turnkit_core::Scope;
/// use turnkit_core::ports::{CallerToken, CallerTokens, NoCallerToken};
///
/// /// The one user of a program, who has signed in.
/// struct SignedIn(Scope);
///
/// impl CallerTokens for SignedIn {
///     fn newest(&self, owner: &Scope) -> Result<CallerToken, NoCallerToken> {
///         match *owner == self.0 {
///             true => Ok(CallerToken::new("the token of this user", Duration::from_secs(300))),
///             false => Err(NoCallerToken::Missing),
///         }
///     }
/// }
///
/// let tokens = SignedIn(Scope::new("acme", "anna"));
/// assert!(tokens.newest(&Scope::new("acme", "anna")).is_ok());
/// assert_eq!(tokens.newest(&Scope::new("acme", "ben")).err(), Some(NoCallerToken::Missing));
/// ```
pub trait CallerTokens: Send + Sync {
    /// Returns the newest token of this owner. It must be a token of the owner itself, never of another one.
    ///
    /// # Errors
    /// There is no token that is valid now.
    fn newest(&self, owner: &Scope) -> Result<CallerToken, NoCallerToken>;

    /// Records that the identity provider did not accept this token of the owner, as when it was revoked. An older
    /// token of the owner may still be accepted, so [`newest`](Self::newest) should prefer any other one to it. Does
    /// nothing by default, for hosts with one token for each owner.
    fn refused(&self, owner: &Scope, token: &CallerToken) {
        let _ = (owner, token);
    }
}

/// The reason why there is no token of a caller, with the way out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoCallerToken {
    /// No token of this owner is known: its requests carried API keys, or the process has restarted since.
    #[error(
        "no token of the caller is known: the user must send a request with a token of the identity provider; an API \
         key does not count, and tokens are forgotten when the server restarts"
    )]
    Missing,
    /// The newest token has expired.
    #[error("the caller's token has expired: the user must send a request with a new one")]
    Expired,
    /// The identity provider did not accept the newest token.
    #[error("the identity provider did not accept the caller's token: the user must sign in again and send a request")]
    Refused,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_debug_output_hides_the_token() {
        let token = CallerToken::new("a-secret", Duration::from_secs(1));
        assert_eq!(format!("{token:?}"), "CallerToken { valid_for: 1s, .. }");
        assert_eq!(token.as_str(), "a-secret");
    }
}
