//! The provider of the configuration.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use turnkit_core::ModelName;
use turnkit_core::ports::LlmProvider;
use turnkit_llm::offline::OfflineResponder;
use turnkit_llm::recording::{Recorder, RecorderError};
use turnkit_llm::{Bounded, Endpoint, EndpointError, Provider, SchemaRule, Secret, Timeouts, Wire, vendors};

use crate::config::{ProviderConfig, RECORD, Resolved, SchemaConfig, TimeoutsConfig};
use crate::failure::Failure;

/// What answers.
pub(super) fn build_provider(resolved: &Resolved) -> Result<Arc<dyn LlmProvider>, Failure> {
    let most = resolved.config.providers.first().and_then(|provider| provider.max_concurrency);
    let recorder = recorder(resolved)?;
    Ok(match connect(resolved)? {
        Some(provider) => bounded(recorded(provider, recorder), most),
        None => Arc::new(OfflineResponder),
    })
}

/// The provider that answers; `None` where the offline responder does. The configuration was checked: there is one.
pub(crate) fn connect(resolved: &Resolved) -> Result<Option<Provider>, Failure> {
    let configured = resolved.config.providers.first();
    let Some((provider, wire)) = configured.and_then(|provider| Some((provider, wire(provider)?))) else {
        return Ok(None);
    };
    let built = Provider::new(endpoint(provider, wire, &resolved.folder));
    let complaint = |error: EndpointError| resolved.source.complaint(&setting_of(&error), error.to_string()).into();
    built.map(Some).map_err(complaint)
}

/// What keeps the exchanges, if anything shall.
fn recorder(resolved: &Resolved) -> Result<Option<Arc<Recorder>>, Failure> {
    let started = resolved.record.as_deref().map(Recorder::start).transpose();
    let refused = |error: RecorderError| Failure::Usage(format!("environment variable {RECORD}: {error}"));
    Ok(started.map_err(refused)?.map(Arc::new))
}

fn recorded(provider: Provider, recorder: Option<Arc<Recorder>>) -> Provider {
    match recorder {
        Some(recorder) => provider.recorded_by(recorder),
        None => provider,
    }
}

/// What is spoken: what is configured, else what the vendor usually speaks.
fn wire(provider: &ProviderConfig) -> Option<Wire> {
    match provider.api {
        Some(api) => api.wire(),
        None => vendors::find(provider.vendor.as_deref()?)?.usual_wire(),
    }
}

fn bounded(provider: Provider, most: Option<usize>) -> Arc<dyn LlmProvider> {
    match most {
        Some(most) => Arc::new(Bounded::new(provider, most)),
        None => Arc::new(provider),
    }
}

fn endpoint(provider: &ProviderConfig, wire: Wire, folder: &Path) -> Endpoint {
    let headers = provider.headers.iter().map(|(name, value)| (name.clone(), Secret::new(value.0.as_str())));
    Endpoint {
        vendor: provider.vendor.clone(),
        base_url: provider.base_url.clone(),
        settings: provider.settings.clone(),
        api_key: provider.api_key.as_ref().map(|key| Secret::new(key.0.as_str())),
        credentials: provider.credentials.as_ref().map(|file| folder.join(file)),
        headers: headers.collect(),
        body: provider.body.clone(),
        web_search: provider.web_search,
        schema: schema(provider.schema),
        models: provider.models.iter().map(|model| ModelName(model.as_str().into())).collect(),
        models_detail: provider.models_detail.iter().map(super::models::detail).collect(),
        timeouts: timeouts(provider.timeouts),
        ..Endpoint::new(provider.id.as_str(), wire)
    }
}

/// The setting that an endpoint cannot work with.
fn setting_of(error: &EndpointError) -> String {
    let key = match error {
        EndpointError::NoModels { .. } => "models",
        EndpointError::Vendor { .. } => "vendor",
        EndpointError::Api { .. } => "api",
        EndpointError::Setting { .. } => "settings",
        EndpointError::Address { .. } => "base_url",
        EndpointError::Key { .. } => "api_key",
        EndpointError::Credentials { .. } => "credentials",
        EndpointError::Header { name, .. } => return format!("providers.0.headers.{name}"),
        EndpointError::Field { name, .. } => return format!("providers.0.body.{name}"),
        EndpointError::WebSearch { .. } => "web_search",
        EndpointError::NoAddress { .. } => "id",
    };
    format!("providers.0.{key}")
}

fn schema(config: SchemaConfig) -> SchemaRule {
    match config {
        SchemaConfig::AsDeclared => SchemaRule::AsDeclared,
        SchemaConfig::StrictRequired => SchemaRule::StrictRequired,
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
