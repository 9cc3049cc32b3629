//! Maps network failures to provider errors.

use turnkit_core::{Phase, ProviderError, ProviderErrorKind};
use turnkit_net::NetError;

/// Returns the error of a call that took too long in this phase.
pub(crate) fn timed_out(phase: Phase) -> ProviderError {
    let message = match phase {
        Phase::Connect => "connecting to the provider timed out",
        Phase::FirstEvent => "the provider did not begin to answer in time",
        Phase::Idle => "the provider stopped sending in the middle of its answer",
        Phase::Total => "the answer took too long",
    };
    ProviderError::new(ProviderErrorKind::Timeout(phase), message)
}

/// Returns the error of a connection that failed.
pub(crate) fn unreachable(error: &NetError) -> ProviderError {
    let kind = match error {
        NetError::ConnectTimeout => ProviderErrorKind::Timeout(Phase::Connect),
        NetError::Incomplete => ProviderErrorKind::Truncated,
        NetError::TooLarge | NetError::Encoding(_) | NetError::Damaged(_) => ProviderErrorKind::BadResponse,
        _ => ProviderErrorKind::Network,
    };
    ProviderError::new(kind, error.to_string())
}
