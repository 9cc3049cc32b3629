//! A provider that replays recordings.

use std::collections::HashMap;
use std::sync::Arc;

use turnkit_core::ports::{BoxFuture, CallContext, LlmProvider, OpenedAnswer};
use turnkit_core::{ChatRequest, ModelName, ProviderError, ProviderErrorKind};

use crate::endpoint::{Endpoint, EndpointError};
use crate::model_client::ModelClient;
use crate::pool::{CallFailures, MissingCapabilities, can_fail_over};
use crate::recording::{Playback, Recorded, Recordings};
use crate::wire::Wire;

/// Answers the calls of one turn from its recordings, each through the endpoint that was asked. It uses the wire and
/// the configuration of the endpoint, but no connections, keys or credentials.
#[derive(Debug)]
pub struct ReplayProvider {
    recordings: Arc<Recordings>,
    /// The endpoints of each step and attempt, in the order they were asked.
    endpoints: HashMap<(u16, u16), Vec<ReplayEndpoint>>,
}

/// A recorded call at one endpoint, to be replayed.
#[derive(Debug)]
struct ReplayEndpoint {
    client: ModelClient<Playback>,
    model: ModelName,
    /// The kinds with which it had rejected calls of the turn until then.
    refusals: Vec<ProviderErrorKind>,
}

/// Error of preparing a replay.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplayProviderError {
    /// The recorded provider is no longer configured.
    #[error("provider {id} was recorded with api {}, but is not configured with it now", api.name())]
    NoEndpoint {
        /// The provider.
        id: String,
        /// The recorded wire.
        api: Wire,
    },
    /// The configuration of the provider is invalid.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
}

impl ReplayProvider {
    /// Creates a provider that replays `recordings` through the recorded ones of `endpoints`.
    ///
    /// # Errors
    /// A recorded endpoint is missing from `endpoints`, or its configuration is invalid.
    pub fn new(recordings: Arc<Recordings>, endpoints: &[Endpoint]) -> Result<Self, ReplayProviderError> {
        let (mut by_step, mut refused) = (HashMap::new(), HashMap::<_, Vec<_>>::new());
        for (place, exchanges) in recordings.attempts() {
            let providers = exchanges.filter_map(<[_]>::split_last).map(|(last, tries)| {
                let refusals =
                    refused.entry((last.exchange.provider.clone(), last.exchange.model.clone())).or_default();
                refusals.extend(tries.iter().filter_map(Recorded::refusal));
                ReplayEndpoint::new(last, refusals.clone(), &recordings, endpoints)
            });
            by_step.insert(place, providers.collect::<Result<_, _>>()?);
        }
        Ok(Self { recordings, endpoints: by_step })
    }

    /// Asks the endpoints in the recorded order.
    async fn answer(&self, request: ChatRequest, call: &CallContext) -> Result<OpenedAnswer, ProviderError> {
        let mut failures = CallFailures::default();
        for endpoint in self.endpoints.get(&(call.step, call.attempt)).into_iter().flatten() {
            match endpoint.client.call(endpoint.sent(&request), call).await {
                Err(error) if can_fail_over(&error) => {
                    failures.add(&endpoint.client.endpoint().id.as_str().into(), error);
                }
                result => return result,
            }
        }
        Err(failures.into_error().unwrap_or_else(|| self.recordings.missing(call)))
    }
}

impl ReplayEndpoint {
    fn new(
        recorded: &Recorded,
        refusals: Vec<ProviderErrorKind>,
        of: &Arc<Recordings>,
        endpoints: &[Endpoint],
    ) -> Result<Self, ReplayProviderError> {
        let exchange = &recorded.exchange;
        let is_asked = |endpoint: &&Endpoint| endpoint.id == exchange.provider && endpoint.wire == exchange.api;
        let none = || ReplayProviderError::NoEndpoint { id: exchange.provider.clone(), api: exchange.api };
        let endpoint = endpoints.iter().find(is_asked).ok_or_else(none)?.clone();
        let client = ModelClient::new(endpoint, Playback::new(recorded.clone(), Arc::clone(of)))?;
        Ok(Self { client, model: ModelName(exchange.model.as_str().into()), refusals })
    }

    /// Returns the request for this endpoint, without the features that it rejected.
    fn sent(&self, request: &ChatRequest) -> ChatRequest {
        let add = |missing: MissingCapabilities, kind: &ProviderErrorKind| {
            missing.with_rejected(*kind, request).unwrap_or(missing)
        };
        let missing = self.refusals.iter().fold(MissingCapabilities::default(), add);
        missing.without(ChatRequest { model: Some(self.model.clone()), ..request.clone() })
    }
}

impl LlmProvider for ReplayProvider {
    fn stream<'a>(
        &'a self,
        request: ChatRequest,
        call: &'a CallContext,
    ) -> BoxFuture<'a, Result<OpenedAnswer, ProviderError>> {
        Box::pin(self.answer(request, call))
    }
}
