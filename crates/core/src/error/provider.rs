//! Failures of a model call.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::FailedAttempt;

/// The phase of a call in which a timeout occurred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Opening the connection.
    Connect,
    /// Waiting for the first event.
    FirstEvent,
    /// Waiting for the next event.
    Idle,
    /// The call as a whole.
    Total,
}

/// The kind of a provider failure. The wire that received it classifies it, once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProviderErrorKind {
    /// The credential was rejected.
    Auth,
    /// The key is wrong, expired or revoked.
    KeyInvalid,
    /// The quota is exhausted.
    Quota,
    /// The account has no credit.
    Balance,
    /// The account has too little credit for a request of this size.
    Unaffordable,
    /// The provider limits the request rate.
    RateLimited,
    /// The provider is temporarily overloaded.
    Overloaded,
    /// The provider has no such model.
    ModelNotFound,
    /// The request exceeds the model's context window.
    ContextOverflow,
    /// The provider's content filter rejected the request.
    ContentFilter,
    /// The model does not support tool calls.
    ToolsUnsupported,
    /// The model does not support image input.
    ImagesUnsupported,
    /// The request was invalid in another way.
    BadRequest,
    /// The connection failed.
    Network,
    /// The call timed out in this phase.
    Timeout(Phase),
    /// The stream ended before its terminator.
    Truncated,
    /// The response could not be parsed.
    BadResponse,
    /// The model wrote a tool call that its provider could not parse.
    MalformedCall,
    /// The answer exceeds the size limit.
    AnswerTooLarge,
    /// No provider matches the request.
    NoProvider,
    /// No matching provider is available at the moment.
    Unavailable,
}

impl ProviderErrorKind {
    /// Returns the code for logs and clients.
    pub fn code(self) -> &'static str {
        match self {
            Self::Auth => "provider_auth",
            Self::KeyInvalid => "provider_key_invalid",
            Self::Quota => "provider_quota",
            Self::Balance => "provider_balance",
            Self::Unaffordable => "provider_unaffordable",
            Self::RateLimited => "provider_rate_limited",
            Self::Overloaded => "provider_overloaded",
            Self::ModelNotFound => "model_not_found",
            Self::ContextOverflow => "context_overflow",
            Self::ContentFilter => "content_filter",
            Self::ToolsUnsupported => "tools_unsupported",
            Self::ImagesUnsupported => "images_unsupported",
            Self::BadRequest => "provider_bad_request",
            Self::Network => "provider_network",
            Self::Timeout(_) => "provider_timeout",
            Self::Truncated => "provider_truncated",
            Self::BadResponse => "provider_bad_response",
            Self::MalformedCall => "malformed_tool_call",
            Self::AnswerTooLarge => "answer_too_large",
            Self::NoProvider => "no_provider",
            Self::Unavailable => "provider_unavailable",
        }
    }

    /// Returns `true` if the same request may succeed later without any change.
    pub fn is_transient(self) -> bool {
        matches!(
            self,
            Self::RateLimited
                | Self::Overloaded
                | Self::Network
                | Self::Timeout(_)
                | Self::Truncated
                | Self::BadResponse
                | Self::MalformedCall
                | Self::Unavailable
        )
    }

    /// Returns `true` if another provider may answer the same request, because this one failed or rejected our account.
    pub fn allows_failover(self) -> bool {
        let of_account =
            matches!(self, Self::Auth | Self::KeyInvalid | Self::Quota | Self::Balance | Self::Unaffordable);
        self.is_transient() || of_account
    }
}

/// A failed model call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ProviderError {
    /// The kind of failure.
    pub kind: ProviderErrorKind,
    /// A sentence for people, without secrets.
    pub message: String,
    /// The HTTP status, if there was a response.
    pub status: Option<u16>,
    /// How long the provider asked us to wait.
    pub retry_after: Option<Duration>,
    /// The vendor's own error code.
    pub code: Option<String>,
    /// The attempts behind this error, in order, if it stands for a call that may have been tried several times.
    pub attempts: Vec<FailedAttempt>,
}

impl ProviderError {
    /// Creates an error of this kind, with a sentence for people.
    pub fn new(kind: ProviderErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), status: None, retry_after: None, code: None, attempts: Vec::new() }
    }

    /// Returns `true` if no endpoint exists at the requested address, so that every request would fail in the same way.
    pub fn is_missing_endpoint(&self) -> bool {
        self.kind == ProviderErrorKind::BadRequest && matches!(self.status, Some(404 | 405))
    }
}
