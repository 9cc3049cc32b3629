//! The reasons why a token is refused.

use std::time::Duration;

/// The reason why a token is refused, for the log. Responses reveal only whether it has expired.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TokenError {
    /// The token is not a signed JSON Web Token of a supported form.
    #[error("malformed token: {0}")]
    Malformed(&'static str),
    /// The issuer publishes no such key.
    #[error("the issuer has no such key")]
    UnknownKey,
    /// The token names another algorithm than its key is for.
    #[error("the key is for another algorithm")]
    Algorithm,
    /// The signature is wrong.
    #[error("wrong signature")]
    Signature,
    /// A claim is missing or has the wrong form.
    #[error("the claim {claim}: {reason}")]
    Claim {
        /// The name of the claim.
        claim: String,
        /// The reason.
        reason: &'static str,
    },
    /// The token has expired.
    #[error("expired token")]
    Expired,
    /// The keys of the issuer cannot be read.
    #[error("the keys of the issuer cannot be read")]
    Unavailable {
        /// The time after which they are requested again.
        retry_after: Duration,
    },
}

impl TokenError {
    /// Creates the error of a claim.
    pub(super) fn claim(claim: &str, reason: &'static str) -> Self {
        Self::Claim { claim: claim.to_owned(), reason }
    }
}
