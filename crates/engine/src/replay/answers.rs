//! Recorded answers of models, up to the point where the stored turn was stopped or its owner died.

use std::sync::Arc;

use futures_util::{FutureExt, StreamExt, future, stream};
use tokio::sync::Notify;
use turnkit_core::ports::{BoxFuture, CallContext, DeltaStream, LlmProvider, OpenedAnswer};
use turnkit_core::{ChatRequest, ProviderError};

use super::recorded_environment::RecordedEnvironment;

/// A provider that replays recorded answers as the stored turn received them.
pub(super) struct Answers<'a> {
    pub(super) provider: &'a dyn LlmProvider,
    pub(super) environment: &'a RecordedEnvironment,
}

impl LlmProvider for Answers<'_> {
    fn stream<'a>(
        &'a self,
        request: ChatRequest,
        call: &'a CallContext,
    ) -> BoxFuture<'a, Result<OpenedAnswer, ProviderError>> {
        Box::pin(async move {
            self.environment.survive().await;
            let (step, attempt) = (call.step, call.attempt);
            let (begun, stop) = (self.environment.attempt(step, attempt), self.environment.stops_in(step, attempt));
            let opened = match (begun, &stop) {
                // The turn was stopped before a provider answered.
                (None, Some(stop)) => stopped(stop).await,
                _ => self.provider.stream(request, call).await,
            };
            let opened = match (opened, &stop) {
                (Err(_), Some(stop)) => stopped(stop).await,
                (opened, _) => opened.map_err(|error| self.environment.as_recorded(error, step, attempt))?,
            };
            // The choice of the provider is not repeated, so its recorded notices and failures are used.
            let notices = begun.map_or_else(|| opened.notices.clone(), |begun| begun.opening_notices.clone());
            let failed = begun.map_or_else(|| opened.failed.clone(), |begun| begun.failed.clone());
            let deltas = match stop {
                Some(stop) => until_stopped(opened.deltas, stop),
                None => opened.deltas,
            };
            Ok(OpenedAnswer { notices, failed, deltas, ..opened })
        })
    }
}

/// Signals that the turn is stopped at this point, and waits to be interrupted.
async fn stopped<T>(stop: &Notify) -> T {
    stop.notify_one();
    future::pending().await
}

/// Returns the recorded deltas up to the point where the turn was stopped.
fn until_stopped(deltas: DeltaStream, stop: Arc<Notify>) -> DeltaStream {
    let said = deltas.filter(|batch| future::ready(batch.is_ok()));
    let end = async move { stopped(&stop).await };
    Box::pin(said.chain(stream::once(end.boxed())))
}
