//! A provider that says again what was recorded.

use std::collections::HashMap;
use std::sync::Arc;

use turnkit_core::ports::{BoxFuture, CallContext, LlmProvider, Opened};
use turnkit_core::{ChatRequest, ModelName, ProviderError};

use super::{Recorded, Recordings};
use crate::pool::{Story, goes_on_after};
use crate::{Endpoint, EndpointError, Provider};

/// Answers the calls of one turn with what was recorded of it, each through the endpoints that were asked: with their wires
/// and what their configuration says, but without connections, keys and credentials.
#[derive(Debug)]
pub struct Replaying {
    recordings: Arc<Recordings>,
    /// Who is asked in an attempt at a step, one after the other.
    asked: HashMap<(u16, u16), Vec<Asked>>,
}

/// Somebody who was asked, and says again what came of it.
#[derive(Debug)]
struct Asked {
    provider: Provider,
    model: ModelName,
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
        let mut asked = HashMap::new();
        for (place, exchanges) in recordings.attempts() {
            let providers = exchanges.map(|recorded| Asked::again(recorded, &recordings, endpoints));
            asked.insert(place, providers.collect::<Result<_, _>>()?);
        }
        Ok(Self { recordings, asked })
    }

    /// Asks one after the other, as it was done.
    async fn answer(&self, request: ChatRequest, call: &CallContext) -> Result<Opened, ProviderError> {
        let mut story = Story::default();
        for Asked { provider, model } in self.asked.get(&(call.step, call.attempt)).into_iter().flatten() {
            let request = ChatRequest { model: Some(model.clone()), ..request.clone() };
            match provider.stream(request, call).await {
                Err(error) if goes_on_after(&error) => story.failed(&provider.endpoint().id.as_str().into(), error),
                answered => return answered,
            }
        }
        Err(story.end().unwrap_or_else(|| self.recordings.missing(call)))
    }
}

impl Asked {
    fn again(recorded: &Recorded, of: &Arc<Recordings>, endpoints: &[Endpoint]) -> Result<Self, ReplayingError> {
        let exchange = &recorded.exchange;
        let is_asked = |endpoint: &&Endpoint| endpoint.id == exchange.provider && endpoint.wire == exchange.api;
        let none = || ReplayingError::NoEndpoint { id: exchange.provider.clone(), api: exchange.api };
        let endpoint = endpoints.iter().find(is_asked).ok_or_else(none)?.clone();
        let provider = Provider::replaying(endpoint, recorded.clone(), Arc::clone(of))?;
        Ok(Self { provider, model: ModelName(exchange.model.as_str().into()) })
    }
}

impl LlmProvider for Replaying {
    fn stream<'a>(
        &'a self,
        request: ChatRequest,
        call: &'a CallContext,
    ) -> BoxFuture<'a, Result<Opened, ProviderError>> {
        Box::pin(self.answer(request, call))
    }
}
