//! Failures of a model call.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Where in a call a timeout struck.
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

/// What kind of failure a call met. The wire that received it decides, once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProviderErrorKind {
    /// The credential was not accepted.
    Auth,
    /// The key itself is wrong, expired or revoked.
    KeyInvalid,
    /// A quota is used up.
    Quota,
    /// The account has no money.
    Balance,
    /// The account has too little money for a request as large as this one.
    Unaffordable,
    /// Too many requests.
    RateLimited,
    /// The provider cannot serve at the moment.
    Overloaded,
    /// The provider has no such model.
    ModelNotFound,
    /// The request is larger than the model's window.
    ContextOverflow,
    /// The provider's filter refused.
    ContentFilter,
    /// The model calls no tools.
    ToolsUnsupported,
    /// The model looks at no images.
    ImagesUnsupported,
    /// The request was wrong in another way.
    BadRequest,
    /// The connection failed.
    Network,
    /// Time ran out.
    Timeout(Phase),
    /// The stream ended before its terminator.
    Truncated,
    /// The answer could not be understood.
    BadResponse,
    /// The model wrote a tool call that its provider could not read.
    MalformedCall,
    /// The answer is larger than an answer may be.
    AnswerTooLarge,
    /// No provider fits what was asked for.
    NoProvider,
    /// No provider that fits can be asked at the moment.
    Unavailable,
}

impl ProviderErrorKind {
    /// A word for logs and clients.
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

    /// Whether the same request may succeed later without anybody changing anything.
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

    /// Whether another provider may answer the same request: this one failed, or does not let us in.
    pub fn is_of_provider(self) -> bool {
        let of_account =
            matches!(self, Self::Auth | Self::KeyInvalid | Self::Quota | Self::Balance | Self::Unaffordable);
        self.is_transient() || of_account
    }
}

/// A failed model call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ProviderError {
    /// What kind of failure.
    pub kind: ProviderErrorKind,
    /// One sentence for people, without secrets.
    pub message: String,
    /// The HTTP status, if there was an answer.
    pub status: Option<u16>,
    /// How long the provider asked to wait.
    pub retry_after: Option<Duration>,
    /// The vendor's own word.
    pub code: Option<String>,
}

impl ProviderError {
    /// An error of a kind, with a sentence.
    pub fn new(kind: ProviderErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), status: None, retry_after: None, code: None }
    }

    /// Whether there is nothing at the address that was asked: every request would be answered like this one.
    pub fn is_of_nowhere(&self) -> bool {
        self.kind == ProviderErrorKind::BadRequest && matches!(self.status, Some(404 | 405))
    }
}
