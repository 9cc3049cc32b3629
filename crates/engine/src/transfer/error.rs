//! Why a session was not imported.

use turnkit_core::StoreError;

/// Why a session was not imported. No session was made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// A line is wrong, or missing. The reason does not repeat what is in it.
    #[error("line {line}: {why}")]
    Invalid {
        /// Its number, from 1.
        line: u64,
        /// What is wrong.
        why: String,
    },
    /// A line, a file, or the whole text is too large.
    #[error("line {line}: an import takes at most {limit} bytes of text, and at most as many of each file")]
    TooLarge {
        /// The number of the line, from 1.
        line: u64,
        /// The most bytes.
        limit: u64,
    },
    /// The content broke off, or storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
