//! One provider that dispatches to the providers of several agents.

use std::collections::HashMap;
use std::sync::Arc;

use turnkit_core::ports::{BoxFuture, CallContext, LlmProvider, ModelLimits, OpenedAnswer};
use turnkit_core::{ChatRequest, ModelName, ProviderError, ProviderErrorKind, Route};
use turnkit_store::DataDirectory;

/// Sends each request to the provider of its agent, whose name is in the route.
pub(super) struct Providers {
    pub(super) of_agents: HashMap<String, Arc<dyn LlmProvider>>,
    /// Keeps the database locked. The service holds this provider until its last turn has ended; only then may another
    /// process open the database.
    pub(super) _directory: Arc<DataDirectory>,
}

impl Providers {
    fn of(&self, route: Option<&Route>) -> Option<&Arc<dyn LlmProvider>> {
        self.of_agents.get(&**route?.provider.as_ref()?)
    }
}

/// Returns the route without the name of the agent, which means nothing to the agent's own provider.
fn beyond_agent(route: &Route) -> Route {
    Route { provider: None, ..route.clone() }
}

impl LlmProvider for Providers {
    fn stream<'a>(
        &'a self,
        mut request: ChatRequest,
        call: &'a CallContext,
    ) -> BoxFuture<'a, Result<OpenedAnswer, ProviderError>> {
        let Some(provider) = self.of(request.route.as_deref()) else {
            let error = ProviderError::new(ProviderErrorKind::NoProvider, "the agent of this turn has no provider");
            return Box::pin(std::future::ready(Err(error)));
        };
        request.route = request.route.as_deref().map(|route| Arc::new(beyond_agent(route)));
        provider.stream(request, call)
    }

    fn limits(&self, model: Option<&ModelName>, route: Option<&Route>) -> Option<ModelLimits> {
        self.of(route)?.limits(model, route.map(beyond_agent).as_ref())
    }
}
