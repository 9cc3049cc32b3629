//! The provider of the configuration.

use std::sync::Arc;
use std::time::Duration;

use turnkit_core::ModelName;
use turnkit_core::ports::LlmProvider;
use turnkit_llm::offline::OfflineResponder;
use turnkit_llm::{Bounded, Endpoint, EndpointError, Provider, Secret, Timeouts, Wire};

use crate::config::{Api, ProviderConfig, Resolved, TimeoutsConfig};
use crate::failure::Failure;

/// What answers. The configuration was checked: there is one provider.
pub(super) fn build_provider(resolved: &Resolved) -> Result<Arc<dyn LlmProvider>, Failure> {
    match resolved.config.providers.first() {
        Some(provider) if provider.api == Api::OpenaiChat => match Provider::new(endpoint(provider)) {
            Ok(built) => Ok(bounded(built, provider.max_concurrency)),
            Err(error) => Err(resolved.source.complaint(setting_of(&error), error.to_string()).into()),
        },
        _ => Ok(Arc::new(OfflineResponder)),
    }
}

fn bounded(provider: Provider, most: Option<usize>) -> Arc<dyn LlmProvider> {
    match most {
        Some(most) => Arc::new(Bounded::new(provider, most)),
        None => Arc::new(provider),
    }
}

fn endpoint(provider: &ProviderConfig) -> Endpoint {
    Endpoint {
        id: provider.id.clone(),
        wire: Wire::OpenaiChat,
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
