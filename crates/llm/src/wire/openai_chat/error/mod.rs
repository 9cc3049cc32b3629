//! What kind of failure a response is. Decided here, once; nobody else reads a provider's words.

mod kind;

use turnkit_core::ProviderError;

use self::kind::Said;
use crate::wire::ErrorResponse;
use crate::wire::failure;

/// The failure a response stands for.
pub(in crate::wire) fn classify(response: &ErrorResponse<'_>) -> ProviderError {
    failure::of_response(response, |words| Said::new(words, response.retry_after).kind(Some(response.status)))
}

/// The failure an `error` object inside a successful response stands for.
pub(in crate::wire) fn in_band(error: &str) -> ProviderError {
    failure::in_band(error, |words| Said::new(words, None).kind(words.status))
}

#[cfg(test)]
mod tests;
