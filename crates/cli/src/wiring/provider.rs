//! The provider of the configuration.

use std::sync::Arc;
use std::time::Duration;

use turnkit_core::ModelName;
use turnkit_core::ports::LlmProvider;
use turnkit_llm::offline::OfflineResponder;
use turnkit_llm::{Bounded, Endpoint, EndpointError, Provider, Secret, Timeouts, Wire};

use crate::config::{Api, ProviderConfig, Resolved, TimeoutsConfig};
use crate::failure::Failure;

/// What answers.
pub(super) fn build_provider(resolved: &Resolved) -> Result<Arc<dyn LlmProvider>, Failure> {
    let most = resolved.config.providers.first().and_then(|provider| provider.max_concurrency);
    Ok(match connect(resolved)? {
        Some(provider) => bounded(provider, most),
        None => Arc::new(OfflineResponder),
    })
}

/// The provider that answers; `None` where the offline responder does. The configuration was checked: there is one.
pub(crate) fn connect(resolved: &Resolved) -> Result<Option<Provider>, Failure> {
    let configured = resolved.config.providers.first();
    let Some((provider, wire)) = configured.and_then(|provider| Some((provider, wire(provider.api)?))) else {
        return Ok(None);
    };
    let built = Provider::new(endpoint(provider, wire));
    built.map(Some).map_err(|error| resolved.source.complaint(setting_of(&error), error.to_string()).into())
}

/// What is spoken; `None` where nothing needs to be.
fn wire(api: Api) -> Option<Wire> {
    match api {
        Api::OpenaiChat => Some(Wire::OpenaiChat),
        Api::OpenaiResponses => Some(Wire::OpenaiResponses),
        Api::Anthropic => Some(Wire::Anthropic),
        Api::Gemini => Some(Wire::Gemini),
        Api::Offline => None,
    }
}

fn bounded(provider: Provider, most: Option<usize>) -> Arc<dyn LlmProvider> {
    match most {
        Some(most) => Arc::new(Bounded::new(provider, most)),
        None => Arc::new(provider),
    }
}

fn endpoint(provider: &ProviderConfig, wire: Wire) -> Endpoint {
    Endpoint {
        id: provider.id.clone(),
        wire,
        base_url: provider.base_url.clone().unwrap_or_default(),
        api_key: provider.api_key.as_ref().map(|key| Secret::new(key.0.as_str())),
        models: provider.models.iter().map(|model| ModelName(model.as_str().into())).collect(),
        timeouts: timeouts(provider.timeouts),
    }
}

/// The setting that an endpoint cannot work with.
fn setting_of(error: &EndpointError) -> &'static str {
    match error {
        EndpointError::NoModels { .. } => "providers.0.models",
        EndpointError::Address { .. } => "providers.0.base_url",
        EndpointError::Key { .. } => "providers.0.api_key",
        EndpointError::Client { .. } => "providers.0.id",
    }
}

fn timeouts(config: TimeoutsConfig) -> Timeouts {
    Timeouts {
        connect: Duration::from_millis(config.connect_ms),
        first_event: Duration::from_millis(config.first_event_ms),
        idle: Duration::from_millis(config.idle_ms),
        total: Duration::from_millis(config.total_ms),
    }
}
