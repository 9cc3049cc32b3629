//! Errors of inconsistent deltas.

use crate::{ProviderError, ProviderErrorKind};

/// A sequence of deltas that no decoder should produce.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FoldError {
    /// A part started out of order.
    #[error("part {0} started out of order")]
    OutOfOrder(u16),
    /// Text or an end arrived for a part that is not open.
    #[error("part {0} is not open")]
    NotOpen(u16),
    /// A tool call began without an id and a name.
    #[error("tool call in part {0} has no name")]
    Nameless(u16),
    /// Output arrived after the finish reason.
    #[error("output after the finish reason")]
    AfterFinish,
    /// The answer exceeds the limits on text, parts or pieces.
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
