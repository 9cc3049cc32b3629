//! Classifies error responses. No other code of this wire interprets the text of errors.

mod kind;

use turnkit_core::ProviderError;

use self::kind::ErrorClassifier;
use crate::wire::ErrorResponse;
use crate::wire::failure;

/// Returns the error for a response.
pub(in crate::wire) fn classify(response: &ErrorResponse<'_>) -> ProviderError {
    failure::of_response(response, |text| ErrorClassifier::new(text, response.retry_after).kind(Some(response.status)))
}

/// Returns the error for an `error` object inside a successful response.
pub(in crate::wire) fn in_band(error: &str) -> ProviderError {
    failure::in_band(error, |text| ErrorClassifier::new(text, None).kind(text.status))
}

#[cfg(test)]
mod tests;
