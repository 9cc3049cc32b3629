//! The error type of questions to an agent.

use std::fmt;

use turnkit_core::TurnStatus;
use turnkit_engine::ResumeError;

#[cfg(feature = "llm")]
use crate::model::ModelNameError;

/// The reason why a question has no answer. Each message suggests a remedy where there is one.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The agent's model cannot be used: its vendor is unknown, or the environment lacks the vendor's key.
    #[cfg(feature = "llm")]
    #[error(transparent)]
    Model(#[from] ModelNameError),
    /// The provider failed, and retries did not help.
    #[error("the provider failed: {message} ({code}){}", remedy(code, *retryable))]
    Provider {
        /// A machine-readable code, such as `provider_rate_limited`.
        code: String,
        /// The provider's error message.
        message: String,
        /// Whether the same question may succeed later.
        retryable: bool,
    },
    /// The turn ended without a complete answer: it reached a limit or its deadline, or something other than the
    /// provider failed.
    #[error("the turn ended as `{}`: {reason}", status.as_str())]
    Ended {
        /// The status with which the turn ended.
        status: TurnStatus,
        /// The reason, as a sentence.
        reason: String,
    },
    /// The JSON Schema of the requested type cannot be sent to a model.
    #[error("the JSON Schema of `{type_name}` cannot be sent to a model: {reason}")]
    Schema {
        /// The Rust type.
        type_name: &'static str,
        /// The problem with its JSON Schema.
        reason: String,
    },
    /// Neither the answer nor the model's correction of it matches the schema of the type.
    #[error(
        "the second answer does not match the requested type either: {reason}; describe the fields in doc comments, or \
         use a larger model"
    )]
    Output {
        /// The first mismatches of the second answer.
        reason: String,
        /// The text of the second answer.
        text: String,
    },
    /// The name is not a valid session name in a database.
    #[cfg(feature = "sqlite")]
    #[error(transparent)]
    SessionName(#[from] turnkit_core::IdError),
    /// The message was rejected, and no turn was stored.
    #[cfg(feature = "sqlite")]
    #[error("the message was not accepted: {0}")]
    Refused(#[from] turnkit_core::AcceptError),
    /// The events of the turn cannot be followed. The turn itself continues.
    #[cfg(feature = "sqlite")]
    #[error("the turn cannot be followed: {0}")]
    Follow(#[from] turnkit_engine::FollowError),
    /// The database was closed before the turn ended. The turn continues when the database is opened again.
    #[cfg(feature = "sqlite")]
    #[error("the database was closed; the turn continues when it is opened again")]
    Closed,
    /// A reply to a waiting call could not be stored.
    #[cfg(feature = "sqlite")]
    #[error("could not store the reply to a waiting call: {0}")]
    Resolution(#[from] turnkit_engine::ResolveError),
    /// Storage failed. Accepted turns continue later.
    #[cfg(feature = "sqlite")]
    #[error(transparent)]
    Store(#[from] turnkit_core::StoreError),
    /// The session has a turn that this version cannot continue.
    #[error(transparent)]
    Resume(#[from] ResumeError),
}

/// Prints the message, because an error that `main` returns is printed in this form.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Returns a hint about this error code for the host, as the end of an error message.
fn remedy(code: &str, retryable: bool) -> &'static str {
    match code {
        "provider_auth" | "provider_key_invalid" => "; check the key of the vendor",
        "provider_quota" | "provider_balance" | "provider_unaffordable" => "; check the account at the vendor",
        "model_not_found" => "; check the name of the model",
        "context_overflow" => "; shorten the conversation, or use a model with a larger window",
        _ if retryable => "; try again later",
        _ => "",
    }
}
