//! Summaries in the place of earlier messages.

use std::fmt;

use super::{BoxFuture, CallContext, LlmProvider};
use crate::{ChatRequest, Str, Usage};

/// Summarises the earlier messages of a session. From then on models are sent the summary in their place.
///
/// An agent without a compactor of its own has its model write the summary.
///
/// ```
/// use turnkit_core::ports::{BoxFuture, CallContext, CompactError, Compacted, HistoryCompactor, LlmProvider};
/// use turnkit_core::{ChatRequest, Role};
///
/// /// Keeps what the user said.
/// #[derive(Debug)]
/// struct Questions;
///
/// impl HistoryCompactor for Questions {
///     fn compact<'a>(
///         &'a self,
///         request: ChatRequest,
///         _: &'a dyn LlmProvider,
///         _: &'a CallContext,
///     ) -> BoxFuture<'a, Result<Compacted, CompactError>> {
///         let said = request.history.iter().map(|entry| entry.message());
///         let asked: Vec<_> = said.filter(|said| said.role == Role::User).map(|said| said.text()).collect();
///         Box::pin(async move { Ok(Compacted { text: asked.join("\n"), calls: None }) })
///     }
/// }
/// ```
pub trait HistoryCompactor: fmt::Debug + Send + Sync {
    /// Returns the summary of `request.history`. It begins with the previous summary, if there is one, which the new one
    /// replaces.
    ///
    /// The request is the one that the session would send, without the messages that stay. A compactor that sends it to
    /// `provider` with one more message reads the provider's cache of earlier requests. `call` names the turn.
    ///
    /// If the messages do not fit a request, they come in up to four, one after the other. Each but the first begins with the
    /// summary of those before it, and long results are shortened.
    ///
    /// The engine drops a summary that is empty or hardly smaller than the messages.
    ///
    /// # Errors
    /// Why there is no summary. The messages are sent as before.
    fn compact<'a>(
        &'a self,
        request: ChatRequest,
        provider: &'a dyn LlmProvider,
        call: &'a CallContext,
    ) -> BoxFuture<'a, Result<Compacted, CompactError>>;
}

/// A summary.
#[derive(Debug, Clone, PartialEq)]
pub struct Compacted {
    /// The text that models are sent.
    pub text: String,
    /// The model calls that were made for it; absent if there were none.
    pub calls: Option<CompactionCalls>,
}

/// Why there is no summary.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct CompactError {
    /// A sentence for the user.
    pub message: String,
    /// The model calls that were made in vain; absent if there were none.
    pub calls: Option<CompactionCalls>,
}

/// The model calls of a compaction.
#[derive(Debug, Clone, PartialEq)]
pub struct CompactionCalls {
    /// The provider that answered last.
    pub provider: Str,
    /// The model that answered last.
    pub model: Str,
    /// What all of them consumed.
    pub usage: Usage,
}
