//! Why a question has no answer.

use turnkit_core::TurnStatus;
use turnkit_engine::ResumeError;

#[cfg(feature = "llm")]
use crate::model::ModelNameError;

/// Why a question has no answer. Each message names the way out where there is one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The agent's model cannot be asked: its vendor is unknown, or the environment lacks the vendor's key.
    #[cfg(feature = "llm")]
    #[error(transparent)]
    Model(#[from] ModelNameError),
    /// The provider failed, and retries did not help.
    #[error("the provider failed: {message} ({code}){}", way_out(code, *retryable))]
    Provider {
        /// A word for programs, such as `provider_rate_limited`.
        code: String,
        /// What the provider reported.
        message: String,
        /// Whether the same question may succeed later.
        retryable: bool,
    },
    /// The turn ended without a complete answer: a limit was reached, its time ran out, or something other than the provider
    /// failed.
    #[error("the turn ended as `{}`: {reason}", status.as_str())]
    Ended {
        /// How the turn ended.
        status: TurnStatus,
        /// Why, as a sentence.
        reason: String,
    },
    /// The JSON Schema of the type cannot be sent to a model.
    #[error("no model can be asked for a `{type_name}`: {why}")]
    Schema {
        /// The type.
        type_name: &'static str,
        /// What is wrong with its JSON Schema.
        why: String,
    },
    /// The answer does not match the schema of the type, and neither did the one before it.
    #[error(
        "the answer is not of the requested type, even at the second attempt: {why}; describe the fields in doc comments, or use a larger model"
    )]
    Output {
        /// The first mistakes.
        why: String,
        /// The answer.
        text: String,
    },
    /// A session of a database cannot have this name.
    #[cfg(feature = "sqlite")]
    #[error(transparent)]
    SessionName(#[from] turnkit_core::IdError),
    /// The message was not accepted, and no turn was stored.
    #[cfg(feature = "sqlite")]
    #[error("the message was not accepted: {0}")]
    Refused(#[from] turnkit_core::AcceptError),
    /// The turn cannot be followed. It goes on.
    #[cfg(feature = "sqlite")]
    #[error("the turn cannot be followed: {0}")]
    Follow(#[from] turnkit_engine::FollowError),
    /// The database was closed before the turn was over. The turn continues when it is opened again.
    #[cfg(feature = "sqlite")]
    #[error("the database was closed; the turn continues when it is opened again")]
    Closed,
    /// A call of the turn cannot be decided.
    #[cfg(feature = "sqlite")]
    #[error("a call cannot be decided: {0}")]
    Decision(#[from] turnkit_engine::ResolveError),
    /// Storage failed. Turns that were accepted continue later.
    #[cfg(feature = "sqlite")]
    #[error(transparent)]
    Store(#[from] turnkit_core::StoreError),
    /// The session has a turn that this version cannot continue.
    #[error(transparent)]
    Resume(#[from] ResumeError),
}

/// What the host can do about a failure of this code, as the end of an error message.
fn way_out(code: &str, retryable: bool) -> &'static str {
    match code {
        "provider_auth" | "provider_key_invalid" => "; check the key of the vendor",
        "provider_quota" | "provider_balance" | "provider_unaffordable" => "; check the account at the vendor",
        "model_not_found" => "; check the name of the model",
        "context_overflow" => "; shorten the conversation, or use a model with a larger window",
        _ if retryable => "; try again later",
        _ => "",
    }
}
