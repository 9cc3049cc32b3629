//! A provider that says again what was recorded.

use std::sync::Arc;

use turnkit_core::ports::{BoxFuture, CallContext, LlmProvider, Opened};
use turnkit_core::{ChatRequest, ModelName, ProviderError};

use super::{Recorded, Recordings, not_recorded};
use crate::{Endpoint, EndpointError, Provider};

/// Answers the calls of one turn with what was recorded of it, each through the endpoint that was asked: with its wire
/// and what its configuration says, but without its connection.
#[derive(Debug)]
pub struct Replaying {
    recordings: Arc<Recordings>,
    providers: Vec<Provider>,
}

/// Recordings that cannot be answered with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplayingError {
    /// Whoever was asked is not configured any more.
    #[error("provider {id} was asked over {}, and is not configured so now", api.name())]
    NoEndpoint {
        /// The provider.
        id: String,
        /// What was spoken.
        api: crate::Wire,
    },
    /// It is configured in a way that cannot work.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
}

impl Replaying {
    /// Answers with `recordings` through those of `endpoints` that were asked.
    ///
    /// # Errors
    /// One that was asked is not among them, or cannot work.
    pub fn new(recordings: Arc<Recordings>, endpoints: &[Endpoint]) -> Result<Self, ReplayingError> {
        let mut providers: Vec<Provider> = Vec::new();
        for exchange in recordings.exchanges() {
            if providers.iter().any(|known| known.endpoint().id == exchange.provider) {
                continue;
            }
            let asked = |endpoint: &&Endpoint| endpoint.id == exchange.provider && endpoint.wire == exchange.api;
            let none = || ReplayingError::NoEndpoint { id: exchange.provider.clone(), api: exchange.api };
            let endpoint = endpoints.iter().find(asked).ok_or_else(none)?;
            providers.push(Provider::new(endpoint.clone())?.replaying(Arc::clone(&recordings)));
        }
        Ok(Self { recordings, providers })
    }

    /// Who was asked in this exchange.
    fn asked_in(&self, recorded: &Recorded) -> Option<&Provider> {
        self.providers.iter().find(|provider| provider.endpoint().id == recorded.exchange.provider)
    }
}

impl LlmProvider for Replaying {
    fn stream<'a>(
        &'a self,
        request: ChatRequest,
        call: &'a CallContext,
    ) -> BoxFuture<'a, Result<Opened, ProviderError>> {
        let found = self.recordings.of(call).and_then(|recorded| Some((recorded, self.asked_in(recorded)?)));
        match found {
            Some((recorded, provider)) => {
                let model = Some(ModelName(recorded.exchange.model.as_str().into()));
                provider.stream(ChatRequest { model, ..request }, call)
            }
            None => Box::pin(std::future::ready(Err(not_recorded(call)))),
        }
    }
}
