//! Summaries that replace earlier messages.

use std::fmt;

use super::{BoxFuture, CallContext, LlmProvider};
use crate::{ChatRequest, Str, Usage};

/// Summarises the earlier messages of a session. Later model requests send the summary in place of these messages.
///
/// An agent without its own compactor has its model write the summary.
///
/// ```
/// use turnkit_core::ports::{BoxFuture, CallContext, CompactError, Compacted, HistoryCompactor, LlmProvider};
/// use turnkit_core::{ChatRequest, Role};
///
/// /// Keeps the messages of the user.
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
    /// Summarises `request.history`, which begins with the previous summary, if there is one; the new summary replaces
    /// it.
    ///
    /// The request is the session's next one without the messages that are kept. Sent to `provider` with one more
    /// message, it benefits from the provider's cache. `call` identifies the turn. Messages that do not fit one request
    /// are passed in up to four calls, each but the first with the previous summary, and with long results shortened.
    /// The engine discards a summary that is empty or hardly smaller than the messages.
    ///
    /// # Errors
    /// There is no summary. Requests then send the same messages as before.
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
    /// The model calls that were made for the summary; absent if there were none.
    pub calls: Option<CompactionCalls>,
}

/// Why no summary was produced.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct CompactError {
    /// A sentence for the user.
    pub message: String,
    /// The model calls that were made before the failure; absent if there were none.
    pub calls: Option<CompactionCalls>,
}

/// The model calls of a compaction.
#[derive(Debug, Clone, PartialEq)]
pub struct CompactionCalls {
    /// The provider that answered last.
    pub provider: Str,
    /// The model that answered last.
    pub model: Str,
    /// The usage of all these calls.
    pub usage: Usage,
}
