//! Providers of language models.

use std::sync::Arc;

use super::{BoxFuture, BoxStream};
use crate::{ChatRequest, Delta, FailedAttempt, ModelName, Prices, ProviderError, Route, Str, TurnId};

/// The model call that a provider answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallContext {
    /// The id of the turn.
    pub turn: TurnId,
    /// The step of the turn, from 1.
    pub step: u16,
    /// The number of the attempt at the step, from 1.
    pub attempt: u16,
}

/// A stream of delta batches. Each batch holds the deltas that arrived together. The stream ends after the wire's
/// terminator, or with the error that occurred in its place. Dropping the stream closes the connection.
pub type DeltaStream = BoxStream<'static, Result<Vec<Delta>, ProviderError>>;

/// An answer whose stream is open.
pub struct OpenedAnswer {
    /// The provider that answers.
    pub provider: Str,
    /// The model that answers.
    pub model: Str,
    /// The prices of the model's tokens, if known.
    pub prices: Option<Arc<Prices>>,
    /// Notices for the user about how the answer is produced.
    pub notices: Vec<OpeningNotice>,
    /// The attempts that failed before this one, in order.
    pub failed: Vec<FailedAttempt>,
    /// The stream of the answer.
    pub deltas: DeltaStream,
}

/// A notice of a provider about the start of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpeningNotice {
    /// How often a turn reports it.
    pub class: NoticeClass,
    /// A code for programs, such as `failed_over`.
    pub code: String,
    /// A sentence for people.
    pub text: String,
}

/// The limits of a model, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelLimits {
    /// The context window: the largest size of a request and its answer together.
    pub window: u32,
    /// The largest window among the models that may answer, if all their windows are known.
    pub largest_window: Option<u32>,
    /// The longest answer, if known.
    pub max_output: Option<u32>,
}

/// How often a turn reports a notice of its provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoticeClass {
    /// In each model call: a single occurrence, such as a failover.
    Occurrence,
    /// Once per turn: a condition of every model call, such as a capability that the model lacks.
    Condition,
}

/// Answers model calls. A buffered answer is a stream with one batch.
///
/// ```
/// use turnkit_core::ports::{BoxFuture, CallContext, LlmProvider, OpenedAnswer};
/// use turnkit_core::{ChatRequest, Delta, FinishReason, PartKind, ProviderError};
///
/// struct Parrot;
///
/// impl LlmProvider for Parrot {
///     fn stream<'a>(
///         &'a self,
///         request: ChatRequest,
///         _: &'a CallContext,
///     ) -> BoxFuture<'a, Result<OpenedAnswer, ProviderError>> {
///         Box::pin(async move {
///             let said = request.history.iter().next_back().map(|last| last.message().text()).unwrap_or_default();
///             let answer = vec![Delta::start(0, PartKind::Text), Delta::text(0, said), Delta::Finish(FinishReason::Stop)];
///             let deltas = Box::pin(futures_util::stream::iter([Ok(answer)]));
///             let (provider, model) = ("parrot".into(), "echo".into());
///             Ok(OpenedAnswer { provider, model, prices: None, notices: vec![], failed: vec![], deltas })
///         })
///     }
/// }
/// ```
pub trait LlmProvider: Send + Sync {
    /// Requests an answer. Returns `Ok` only after the provider has sent its status and first event.
    ///
    /// # Errors
    /// The call failed before any output arrived. Another provider may be tried.
    fn stream<'a>(
        &'a self,
        request: ChatRequest,
        call: &'a CallContext,
    ) -> BoxFuture<'a, Result<OpenedAnswer, ProviderError>>;

    /// Returns the limits of the model that answers requests with this model and route, if they are known. If several
    /// models may answer, returns the limits of the one with the smallest window, and the largest window.
    fn limits(&self, model: Option<&ModelName>, route: Option<&Route>) -> Option<ModelLimits> {
        let _ = (model, route);
        None
    }
}

/// Forwards to a shared provider.
impl<T: LlmProvider + ?Sized> LlmProvider for Arc<T> {
    fn stream<'a>(
        &'a self,
        request: ChatRequest,
        call: &'a CallContext,
    ) -> BoxFuture<'a, Result<OpenedAnswer, ProviderError>> {
        (**self).stream(request, call)
    }

    fn limits(&self, model: Option<&ModelName>, route: Option<&Route>) -> Option<ModelLimits> {
        (**self).limits(model, route)
    }
}
