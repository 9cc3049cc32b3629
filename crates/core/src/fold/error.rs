//! Deltas that do not fit together.

use crate::{ProviderError, ProviderErrorKind};

/// A sequence of deltas no decoder should produce.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FoldError {
    /// A part started out of order.
    #[error("part {0} started out of order")]
    OutOfOrder(u16),
    /// Text or an end for a part that is not open.
    #[error("part {0} is not open")]
    NotOpen(u16),
    /// A tool call began without id and name.
    #[error("tool call in part {0} has no name")]
    Nameless(u16),
    /// Output after the finish reason.
    #[error("output after the finish reason")]
    AfterFinish,
    /// More text or parts than an answer may have.
    #[error("the answer is larger than the limit of 16 MiB, 1024 parts and 1048576 pieces")]
    TooLarge,
}

impl From<FoldError> for ProviderError {
    fn from(error: FoldError) -> Self {
        let kind = match error {
            FoldError::TooLarge => ProviderErrorKind::AnswerTooLarge,
            _ => ProviderErrorKind::BadResponse,
        };
        Self::new(kind, error.to_string())
    }
}
