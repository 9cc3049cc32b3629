//! The errors of an import.

use turnkit_core::StoreError;

/// The reason why a session was not imported. No session was created.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// A line is invalid or missing. The reason does not quote the line.
    #[error("line {line}: {reason}")]
    Invalid {
        /// The number of the line, from 1.
        line: u64,
        /// The reason.
        reason: String,
    },
    /// A line, a file, or the whole text is too large.
    #[error("line {line}: an import takes at most {limit} bytes of text, and at most as many of each file")]
    TooLarge {
        /// The number of the line, from 1.
        line: u64,
        /// The maximum number of bytes.
        limit: u64,
    },
    /// The content was cut off, or storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
