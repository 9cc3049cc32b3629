//! Construction of the configured providers.

use std::sync::Arc;
use std::time::Duration;

use turnkit_core::ModelName;
use turnkit_core::ports::Clock as _;
use turnkit_engine::SystemClock;
use turnkit_llm::offline::OfflineResponder;
use turnkit_llm::recording::{Recorder, RecorderError};
use turnkit_llm::{
    Endpoint, EndpointError, Member, Pool, PoolOptions, Provider, RateLimit, SchemaRule, Secret, Strategy, Timeouts,
    Wire, vendors,
};

use crate::config::{
    ProviderConfig, ProviderRateConfig, RECORD, Resolved, SchemaConfig, StrategyConfig, TimeoutsConfig,
};
use crate::failure::Failure;

/// Builds the pool of all configured providers.
pub(crate) fn build_pool(resolved: &Resolved) -> Result<Pool, Failure> {
    let recorder = recorder(resolved)?;
    let configured = resolved.config.providers.iter().enumerate();
    let members = configured.map(|(index, provider)| member(resolved, index, provider, recorder.as_ref()));
    let members: Vec<Member> = members.collect::<Result<_, _>>()?;
    let clock = Arc::new(SystemClock);
    let router = &resolved.config.router;
    let options = PoolOptions {
        strategy: strategy(router.strategy),
        max_wait: Duration::from_secs(router.max_wait_s),
        seed: clock.now().millis().unsigned_abs(),
    };
    Ok(Pool::new(members, options, clock))
}

/// Connects each provider that uses the network, without a pool.
pub(crate) fn connect(resolved: &Resolved) -> Vec<Result<Provider, Failure>> {
    let configured = resolved.config.providers.iter().enumerate();
    configured.filter_map(|(index, provider)| build(resolved, index, provider).transpose()).collect()
}

fn member(
    resolved: &Resolved,
    index: usize,
    config: &ProviderConfig,
    recorder: Option<&Arc<Recorder>>,
) -> Result<Member, Failure> {
    let member = match build(resolved, index, config)? {
        Some(provider) => Member::from_provider(recorded(provider, recorder.map(Arc::clone))),
        None => Member::new(config.id.as_str(), Arc::new(OfflineResponder)),
    };
    Ok(Member {
        tags: config.tags.iter().map(|tag| tag.as_str().into()).collect(),
        max_concurrency: config.max_concurrency,
        rate_limit: config.rate_limit.map(rate_limit),
        ..member
    })
}

/// Builds a provider, or returns `None` for the offline responder. The configuration was checked.
fn build(resolved: &Resolved, index: usize, config: &ProviderConfig) -> Result<Option<Provider>, Failure> {
    let Some(wire) = wire(config) else { return Ok(None) };
    let built = Provider::new(endpoint(config, wire, resolved));
    let complaint =
        |error: EndpointError| resolved.source.complaint(&setting_of(index, &error), error.to_string()).into();
    built.map(Some).map_err(complaint)
}

fn strategy(strategy: StrategyConfig) -> Strategy {
    match strategy {
        StrategyConfig::Priority => Strategy::Priority,
        StrategyConfig::RoundRobin => Strategy::RoundRobin,
        StrategyConfig::Random => Strategy::Random,
        StrategyConfig::LeastLoaded => Strategy::LeastLoaded,
        StrategyConfig::Cost => Strategy::Cost,
    }
}

fn rate_limit(config: ProviderRateConfig) -> RateLimit {
    let ProviderRateConfig { requests_per_second, burst, tokens_per_minute } = config;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the configuration was checked")]
    let in_a_second = requests_per_second.map(|rate| rate.ceil() as u32);
    RateLimit { requests_per_second, burst: burst.or(in_a_second).unwrap_or(1), tokens_per_minute }
}

/// Starts the recorder of exchanges, if recording is enabled.
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

/// Returns the configured wire, or else the usual wire of the vendor.
pub(super) fn wire(provider: &ProviderConfig) -> Option<Wire> {
    match provider.api {
        Some(api) => api.wire(),
        None => vendors::find(provider.vendor.as_deref()?)?.usual_wire(),
    }
}

pub(super) fn endpoint(provider: &ProviderConfig, wire: Wire, resolved: &Resolved) -> Endpoint {
    let headers = provider.headers.iter().map(|(name, value)| (name.clone(), Secret::new(value.0.as_str())));
    Endpoint {
        vendor: provider.vendor.clone(),
        base_url: provider.base_url.clone(),
        settings: provider.settings.clone(),
        api_key: provider.api_key.as_ref().map(|key| Secret::new(key.0.as_str())),
        credentials: provider.credentials.as_ref().map(|file| resolved.folder.join(file)),
        headers: headers.collect(),
        body: provider.body.clone(),
        web_search: provider.web_search,
        think_tags: provider.think_tags.map(Into::into),
        text_calls: provider.text_calls,
        schema: schema(provider.schema),
        models: provider.models.iter().map(|model| ModelName(model.as_str().into())).collect(),
        models_detail: provider.models_detail.iter().map(super::models::detail).collect(),
        timeouts: timeouts(provider.timeouts),
        proxy: resolved.proxy.clone(),
        ..Endpoint::new(provider.id.as_str(), wire)
    }
}

/// Returns the setting that the endpoint error is about.
fn setting_of(index: usize, error: &EndpointError) -> String {
    let key = match error {
        EndpointError::NoModels { .. } => "models",
        EndpointError::Vendor { .. } => "vendor",
        EndpointError::Api { .. } => "api",
        EndpointError::Setting { .. } => "settings",
        EndpointError::Address { .. } => "base_url",
        EndpointError::Key { .. } => "api_key",
        EndpointError::Credentials { .. } => "credentials",
        EndpointError::Header { name, .. } => return format!("providers.{index}.headers.{name}"),
        EndpointError::Field { name, .. } => return format!("providers.{index}.body.{name}"),
        EndpointError::WebSearch { .. } => "web_search",
        EndpointError::NoAddress { .. } => "id",
    };
    format!("providers.{index}.{key}")
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
