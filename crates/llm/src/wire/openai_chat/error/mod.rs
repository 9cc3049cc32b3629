//! What kind of failure a response is. Decided here, once; nobody else reads a provider's words.

mod kind;

use turnkit_core::{ProviderError, ProviderErrorKind as Kind};

use self::kind::Said;
use crate::wire::ErrorResponse;
use crate::wire::failure::{self, Words};

/// The failure a response stands for.
pub(in crate::wire) fn classify(response: &ErrorResponse<'_>) -> ProviderError {
    failure::of_response(response, |words| kind(words, Some(response.status)))
}

/// The failure an `error` object inside a successful response stands for.
pub(in crate::wire) fn in_band(error: &str) -> ProviderError {
    failure::in_band(error, |words| kind(words, words.status))
}

fn kind(words: &Words, status: Option<u16>) -> Kind {
    Said::new(words).kind(status)
}

#[cfg(test)]
mod tests;
