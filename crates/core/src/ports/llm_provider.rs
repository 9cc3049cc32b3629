//! Who answers.

use std::sync::Arc;

use super::{BoxFuture, BoxStream};
use crate::{ChatRequest, Delta, ModelName, Prices, ProviderError, Route, Str, TurnId};

/// For which call of which turn a provider is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallContext {
    /// The turn.
    pub turn: TurnId,
    /// Its step, from 1.
    pub step: u16,
    /// Which attempt at the step, from 1.
    pub attempt: u16,
}

/// Batches of deltas: each holds all that arrived together. The stream ends after the wire's terminator, or with the
/// error that took its place. Dropping it closes the connection.
pub type DeltaStream = BoxStream<'static, Result<Vec<Delta>, ProviderError>>;

/// An answer that has begun.
pub struct Opened {
    /// Who answers.
    pub provider: Str,
    /// With which model.
    pub model: Str,
    /// What the model's tokens cost, if that is known.
    pub prices: Option<Arc<Prices>>,
    /// What the user should know about how the answer came to be.
    pub notices: Vec<OpeningNotice>,
    /// What it says.
    pub deltas: DeltaStream,
}

/// A notice of a provider about an answer that begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpeningNotice {
    /// How often a turn reports it.
    pub class: NoticeClass,
    /// A word for programs, such as `failed_over`.
    pub code: String,
    /// A sentence for people.
    pub text: String,
}

/// The limits of a model, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelLimits {
    /// The largest size of a request and its answer together.
    pub window: u32,
    /// The largest window of the models that may answer, if that of each is known.
    pub largest_window: Option<u32>,
    /// The longest answer, if that is known.
    pub max_output: Option<u32>,
}

/// How often a turn reports a notice of its provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoticeClass {
    /// In each model call: something happened, such as a failover.
    Occurrence,
    /// Once: a condition of every model call, such as a capability that the model lacks.
    Condition,
}

/// Answers model calls. Buffered answers are streams of one batch.
///
/// ```
/// use turnkit_core::ports::{BoxFuture, CallContext, LlmProvider, Opened};
/// use turnkit_core::{ChatRequest, Delta, FinishReason, PartKind, ProviderError};
///
/// struct Parrot;
///
/// impl LlmProvider for Parrot {
///     fn stream<'a>(&'a self, request: ChatRequest, _: &'a CallContext) -> BoxFuture<'a, Result<Opened, ProviderError>> {
///         Box::pin(async move {
///             let said = request.history.iter().next_back().map(|last| last.message().text()).unwrap_or_default();
///             let answer = vec![Delta::start(0, PartKind::Text), Delta::text(0, said), Delta::Finish(FinishReason::Stop)];
///             let deltas = Box::pin(futures_util::stream::iter([Ok(answer)]));
///             Ok(Opened { provider: "parrot".into(), model: "echo".into(), prices: None, notices: vec![], deltas })
///         })
///     }
/// }
/// ```
pub trait LlmProvider: Send + Sync {
    /// Asks for an answer. `Ok` only after the provider's status and its first event.
    ///
    /// # Errors
    /// The call failed before anything was said; another provider may be asked.
    fn stream<'a>(
        &'a self,
        request: ChatRequest,
        call: &'a CallContext,
    ) -> BoxFuture<'a, Result<Opened, ProviderError>>;

    /// Returns the limits of the model that answers requests with this model and route, if they are known. If several
    /// models may answer, returns the limits of the one with the smallest window, and the largest window.
    fn limits(&self, model: Option<&ModelName>, route: Option<&Route>) -> Option<ModelLimits> {
        let _ = (model, route);
        None
    }
}

/// A provider that several share.
impl<T: LlmProvider + ?Sized> LlmProvider for Arc<T> {
    fn stream<'a>(
        &'a self,
        request: ChatRequest,
        call: &'a CallContext,
    ) -> BoxFuture<'a, Result<Opened, ProviderError>> {
        (**self).stream(request, call)
    }

    fn limits(&self, model: Option<&ModelName>, route: Option<&Route>) -> Option<ModelLimits> {
        (**self).limits(model, route)
    }
}
