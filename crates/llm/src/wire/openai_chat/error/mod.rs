//! Classifies error responses. No other code of this wire interprets the text of errors.

mod kind;

use turnkit_core::ProviderError;

use self::kind::Said;
use crate::wire::ErrorResponse;
use crate::wire::failure;

/// Returns the error for a response.
pub(in crate::wire) fn classify(response: &ErrorResponse<'_>) -> ProviderError {
    failure::of_response(response, |words| Said::new(words, response.retry_after).kind(Some(response.status)))
}

/// Returns the error for an `error` object inside a successful response.
pub(in crate::wire) fn in_band(error: &str) -> ProviderError {
    failure::in_band(error, |words| Said::new(words, None).kind(words.status))
}

#[cfg(test)]
mod tests;
