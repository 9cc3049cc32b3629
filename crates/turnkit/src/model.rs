//! Providers for model names, with keys from the environment of the process.

use std::sync::Arc;

use turnkit_core::ports::{BoxFuture, CallContext, Clock as _, LlmProvider, OpenedAnswer};
use turnkit_core::{ChatRequest, ProviderError, ProviderErrorKind};
use turnkit_engine::SystemClock;
use turnkit_llm::offline::OfflineResponder;
pub use turnkit_llm::{EndpointError, ModelNameError};
use turnkit_llm::{Member, NamedModel, Pool, PoolOptions, Provider};

/// Creates the provider of a model named `vendor:model`, with the vendor's key from the environment.
///
/// The provider retries calls that fail before the first output, within limits. It sends nothing before the first call.
///
/// # Errors
/// The name does not resolve to a provider, or the environment lacks the vendor's key.
pub fn provider(name: &str) -> Result<Arc<dyn LlmProvider>, ModelNameError> {
    let endpoint = match NamedModel::find(name, variable)? {
        NamedModel::Offline => return Ok(Arc::new(OfflineResponder)),
        NamedModel::Endpoint(endpoint) => endpoint,
    };
    Ok(Arc::new(pooled(Provider::new(*endpoint)?)))
}

/// Returns a pool of one provider, which retries its calls.
pub(crate) fn pooled(provider: Provider) -> Pool {
    let clock = Arc::new(SystemClock);
    let options = PoolOptions { seed: clock.now().millis().unsigned_abs(), ..PoolOptions::default() };
    Pool::new([Member::from_provider(provider)], options, clock)
}

#[expect(
    clippy::disallowed_methods,
    reason = "a model name stands for a configuration, whose key is in the environment"
)]
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Placeholder for the provider of a name that resolves to none. The agent reports the error before any call reaches
/// this provider.
pub(crate) struct NoModel;

impl LlmProvider for NoModel {
    fn stream<'a>(&'a self, _: ChatRequest, _: &'a CallContext) -> BoxFuture<'a, Result<OpenedAnswer, ProviderError>> {
        let error = ProviderError::new(ProviderErrorKind::NoProvider, "the model name of this agent cannot be used");
        Box::pin(std::future::ready(Err(error)))
    }
}
