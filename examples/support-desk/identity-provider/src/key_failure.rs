//! Failures of keys.

/// A failure to make or to use a key.
#[derive(Debug, thiserror::Error)]
pub(crate) enum KeyFailure {
    /// No key could be made.
    #[error("cannot make a key: the random source of this machine failed")]
    Generate,
    /// A key could not sign.
    #[error("cannot use a key: {0}")]
    Use(#[from] jsonwebtoken::errors::Error),
}
