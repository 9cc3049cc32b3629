//! A provider that is asked only so much at once.

use std::sync::Arc;

use futures_util::StreamExt;
use tokio::sync::Semaphore;
use turnkit_core::ports::{BoxFuture, CallContext, LlmProvider, Opened};
use turnkit_core::{ChatRequest, ProviderError, ProviderErrorKind};

/// Answers through another provider, which gives at most so many answers at a time. Who is not among them waits, in
/// order, for as long as their turn may.
///
/// ```
/// use turnkit_llm::Bounded;
/// use turnkit_llm::offline::OfflineResponder;
///
/// let provider = Bounded::new(OfflineResponder, 8);
/// ```
#[derive(Debug)]
pub struct Bounded<P> {
    provider: P,
    places: Arc<Semaphore>,
}

impl<P: LlmProvider> Bounded<P> {
    /// At most `most` answers of `provider` at once; at least one.
    pub fn new(provider: P, most: usize) -> Self {
        Self { provider, places: Arc::new(Semaphore::new(most.clamp(1, Semaphore::MAX_PERMITS))) }
    }
}

impl<P: LlmProvider> LlmProvider for Bounded<P> {
    fn stream<'a>(
        &'a self,
        request: ChatRequest,
        call: &'a CallContext,
    ) -> BoxFuture<'a, Result<Opened, ProviderError>> {
        Box::pin(async move {
            let place = Arc::clone(&self.places).acquire_owned().await;
            let place =
                place.map_err(|_| ProviderError::new(ProviderErrorKind::Overloaded, "the provider is closed"))?;
            let opened = self.provider.stream(request, call).await?;
            // The place is free again when the answer is dropped.
            let deltas = Box::pin(opened.deltas.map(move |batch| {
                let _held = &place;
                batch
            }));
            Ok(Opened { deltas, ..opened })
        })
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use futures_util::task::noop_waker;
    use std::pin::pin;
    use std::task::Context;

    use turnkit_core::{History, Message, Params, ToolChoice, TurnId};

    use super::*;
    use crate::offline::OfflineResponder;

    fn request() -> ChatRequest {
        ChatRequest {
            model: None,
            route: None,
            instructions: None,
            history: History::of([Message::user("Hello!")]),
            tools: [].into(),
            params: Params::default(),
            tool_choice: ToolChoice::Auto,
        }
    }

    #[test]
    fn who_finds_no_place_waits_until_an_answer_is_dropped() {
        let provider = Bounded::new(OfflineResponder, 1);
        let call = CallContext { turn: TurnId::default(), step: 1, attempt: 1 };
        let first = provider.stream(request(), &call).now_or_never().expect("asked at once").expect("answered");
        let waker = noop_waker();
        let mut second = pin!(provider.stream(request(), &call));
        assert!(second.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        drop(first);
        assert!(second.as_mut().poll(&mut Context::from_waker(&waker)).is_ready());
    }
}
