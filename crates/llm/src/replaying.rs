//! A provider that says again what was recorded.

use std::collections::HashMap;
use std::sync::Arc;

use turnkit_core::ports::{BoxFuture, CallContext, LlmProvider, Opened};
use turnkit_core::{ChatRequest, ModelName, ProviderError, ProviderErrorKind};

use crate::endpoint::{Endpoint, EndpointError};
use crate::model_client::ModelClient;
use crate::pool::{Lacks, Story, goes_on_after};
use crate::recording::{Playback, Recorded, Recordings};
use crate::wire::Wire;

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
    client: ModelClient<Playback>,
    model: ModelName,
    /// Why it had refused calls of the turn by then.
    refusals: Vec<ProviderErrorKind>,
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
        api: Wire,
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
        let (mut asked, mut refused) = (HashMap::new(), HashMap::<_, Vec<_>>::new());
        for (place, exchanges) in recordings.attempts() {
            let providers = exchanges.filter_map(<[_]>::split_last).map(|(last, tries)| {
                let refusals =
                    refused.entry((last.exchange.provider.clone(), last.exchange.model.clone())).or_default();
                refusals.extend(tries.iter().filter_map(Recorded::refusal));
                Asked::again(last, refusals.clone(), &recordings, endpoints)
            });
            asked.insert(place, providers.collect::<Result<_, _>>()?);
        }
        Ok(Self { recordings, asked })
    }

    /// Asks one after the other, as it was done.
    async fn answer(&self, request: ChatRequest, call: &CallContext) -> Result<Opened, ProviderError> {
        let mut story = Story::default();
        for asked in self.asked.get(&(call.step, call.attempt)).into_iter().flatten() {
            match asked.client.call(asked.sent(&request), call).await {
                Err(error) if goes_on_after(&error) => {
                    story.failed(&asked.client.endpoint().id.as_str().into(), error);
                }
                answered => return answered,
            }
        }
        Err(story.end().unwrap_or_else(|| self.recordings.missing(call)))
    }
}

impl Asked {
    fn again(
        recorded: &Recorded,
        refusals: Vec<ProviderErrorKind>,
        of: &Arc<Recordings>,
        endpoints: &[Endpoint],
    ) -> Result<Self, ReplayingError> {
        let exchange = &recorded.exchange;
        let is_asked = |endpoint: &&Endpoint| endpoint.id == exchange.provider && endpoint.wire == exchange.api;
        let none = || ReplayingError::NoEndpoint { id: exchange.provider.clone(), api: exchange.api };
        let endpoint = endpoints.iter().find(is_asked).ok_or_else(none)?.clone();
        let client = ModelClient::new(endpoint, Playback::new(recorded.clone(), Arc::clone(of)))?;
        Ok(Self { client, model: ModelName(exchange.model.as_str().into()), refusals })
    }

    /// The request as it gets it: without what it refused.
    fn sent(&self, request: &ChatRequest) -> ChatRequest {
        let learn = |lacks: Lacks, kind: &ProviderErrorKind| lacks.learn(*kind, request).unwrap_or(lacks);
        let lacks = self.refusals.iter().fold(Lacks::default(), learn);
        lacks.without(ChatRequest { model: Some(self.model.clone()), ..request.clone() })
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
