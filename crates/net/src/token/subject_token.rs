//! The token of a caller.

use std::fmt;
use std::time::Duration;

use tokio::time::Instant;

/// The access token of a caller, which an identity provider exchanges for another one. Its `Debug` output hides it.
///
/// ```
/// use std::time::Duration;
/// use turnkit_net::SubjectToken;
///
/// let caller = SubjectToken::new("the token that the caller sent").valid_for(Duration::from_secs(300));
/// ```
#[derive(Clone, Copy)]
pub struct SubjectToken<'a> {
    pub(super) text: &'a str,
    pub(super) ends_at: Option<Instant>,
}

impl<'a> SubjectToken<'a> {
    /// Returns a token whose life is not known.
    pub fn new(text: &'a str) -> Self {
        Self { text, ends_at: None }
    }

    /// Returns the token with a life that ends after `left`. Nothing obtained for it is kept longer.
    #[must_use]
    pub fn valid_for(self, left: Duration) -> Self {
        // An end too far away to be expressed is none.
        Self { ends_at: Instant::now().checked_add(left), ..self }
    }
}

impl fmt::Debug for SubjectToken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SubjectToken").finish_non_exhaustive()
    }
}
