//! Errors of requesting an access token.

use std::time::Duration;

use super::refusal::{Refusal, RefusalCode};
use crate::NetError;

/// The reason why there is no access token. No variant carries a secret or a token. Texts of the identity provider are
/// cut, and the secrets of the request are masked in them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// A setting cannot be used.
    #[error("`{field}` {reason}")]
    Setting {
        /// The name of the setting.
        field: &'static str,
        /// What is wrong with its value, without repeating it.
        reason: String,
    },
    /// The source exchanges tokens of callers, and was asked for a token without one.
    #[error("the identity provider {host} exchanges the token of a caller, and there is none: sign in with a token")]
    NoSubjectToken {
        /// The host of the identity provider.
        host: String,
    },
    /// The token to exchange has expired.
    #[error("the token of the caller has expired, so the identity provider {host} cannot exchange it: sign in again")]
    SubjectTokenExpired {
        /// The host of the identity provider.
        host: String,
    },
    /// There was no complete response. This may be temporary.
    #[error("the identity provider {host} is unreachable: {error} (is its address right, and is the network up?)")]
    Unreachable {
        /// The host of the identity provider.
        host: String,
        /// The failure of the connection.
        error: NetError,
    },
    /// The response was not complete in time. This may be temporary.
    #[error("the identity provider {host} did not answer within {limit:?}: try again later, or raise the time limit")]
    Timeout {
        /// The host of the identity provider.
        host: String,
        /// The time limit of a request.
        limit: Duration,
    },
    /// The identity provider failed, or received too many requests. This is temporary.
    #[error("the identity provider {host} answered with status {status}: try again later")]
    Unavailable {
        /// The host of the identity provider.
        host: String,
        /// The HTTP status.
        status: u16,
    },
    /// The identity provider issued no token for this client, caller or target.
    #[error("the identity provider {host} issued no token: {refusal}")]
    Refused {
        /// The host of the identity provider.
        host: String,
        /// The error that it reported.
        refusal: Refusal,
    },
    /// The response is not that of an identity provider, or breaks its protocol.
    #[error("the identity provider {host} gave an unusable answer: {reason}")]
    Malformed {
        /// The host of the identity provider.
        host: String,
        /// What is wrong with the response, and the way out.
        reason: String,
    },
}

impl TokenError {
    /// Reports whether the identity provider did not accept the token of the caller, so that another token of the same
    /// caller may be accepted. `invalid_request` is the code for such tokens in RFC 8693, and `invalid_grant` and
    /// `invalid_token` are those of many providers.
    pub fn refuses_subject(&self) -> bool {
        let Self::Refused { refusal, .. } = self else { return false };
        match &refusal.code {
            RefusalCode::InvalidGrant | RefusalCode::InvalidRequest => true,
            RefusalCode::Other(code) => code == "invalid_token",
            RefusalCode::InvalidClient
            | RefusalCode::InvalidScope
            | RefusalCode::InvalidTarget
            | RefusalCode::UnauthorizedClient
            | RefusalCode::UnsupportedGrantType => false,
        }
    }
}

/// A token request that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) error: TokenError,
    /// Whether requests for all callers would fail the same way, not only those for the same caller.
    pub(super) is_outage: bool,
}

impl Failure {
    /// Returns the failure of a request that its caller has no part in.
    pub(super) fn outage(error: TokenError) -> Self {
        Self { error, is_outage: true }
    }

    /// Returns the failure of a request that may depend on the token of its caller. An answer may depend on it, unless
    /// it is about the client: one caller could otherwise stop the requests of all others.
    pub(super) fn of_caller(error: TokenError) -> Self {
        let is_outage = match &error {
            TokenError::Unreachable { .. } | TokenError::Timeout { .. } => true,
            TokenError::Refused { refusal, .. } => refusal.code == RefusalCode::InvalidClient,
            TokenError::Unavailable { .. }
            | TokenError::Malformed { .. }
            | TokenError::Setting { .. }
            | TokenError::NoSubjectToken { .. }
            | TokenError::SubjectTokenExpired { .. } => false,
        };
        Self { error, is_outage }
    }

    /// Reports whether the address of the token endpoint may be out of date.
    pub(super) fn may_have_moved(&self) -> bool {
        self.is_outage || matches!(self.error, TokenError::Unavailable { .. } | TokenError::Malformed { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_about_the_token_of_a_caller_are_told_apart() {
        for (code, expected) in [
            ("invalid_grant", true),
            ("invalid_request", true),
            ("invalid_token", true),
            ("invalid_client", false),
            ("invalid_scope", false),
            ("invalid_target", false),
            ("unauthorized_client", false),
            ("unsupported_grant_type", false),
            ("access_denied", false),
        ] {
            let refusal = Refusal::new(code, None, &[]);
            let error = TokenError::Refused { host: "login.example".to_owned(), refusal };
            assert_eq!(error.refuses_subject(), expected, "{code}");
        }
        assert!(!TokenError::NoSubjectToken { host: "login.example".to_owned() }.refuses_subject());
    }
}
