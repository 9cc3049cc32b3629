//! The one place that names concrete backends.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use turnkit_broker::InProcess;
use turnkit_core::ports::{LlmProvider, SessionStore, Tool};
use turnkit_core::{BusyPolicy, ModelName, Params, Scope, WorkerId};
use turnkit_engine::machine::Limits;
use turnkit_engine::{
    Agent, AgentSettings, Failpoints, Instructions, RandomIds, ServiceParts, SystemClock, ToolRuns, TurnService,
};
use turnkit_llm::offline::OfflineResponder;
use turnkit_llm::{Endpoint, EndpointError, Provider, Secret, Timeouts, Wire};
use turnkit_store::{DataDirectory, LockError, SqliteOptions, SqliteStore};

use crate::config::{AgentConfig, Api, Config, OnBusy, ProviderConfig, Resolved, TimeoutsConfig};
use crate::failure::Failure;

/// The name of the database in a data directory.
const DATABASE: &str = "turnkit.db";

/// An installation: its data, opened and locked, and what runs on it.
pub(crate) struct Installation {
    pub(crate) resolved: Resolved,
    pub(crate) scope: Scope,
    store: Arc<SqliteStore>,
    /// Held until the process ends.
    _directory: DataDirectory,
}

impl Installation {
    /// Opens the data in `data`, or where the configuration says; made if there is none.
    pub(crate) fn open(resolved: Resolved, data: Option<&Path>) -> Result<Self, Failure> {
        let database = database(&resolved, data)?;
        let directory = DataDirectory::lock(directory_of(&database)).map_err(|error| held(&error))?;
        let store = SqliteStore::open(&database).map_err(|error| Failure::Data(error.to_string()))?;
        Ok(Self { resolved, scope: Scope::local(), store: Arc::new(store), _directory: directory })
    }

    /// Opens the data like [`open`](Self::open), but makes nothing: `None` where there is none.
    pub(crate) fn open_existing(resolved: Resolved, data: Option<&Path>) -> Result<Option<Self>, Failure> {
        let database = database(&resolved, data)?;
        let path = database.path();
        match path.try_exists() {
            Ok(true) => Self::open(resolved, data).map(Some),
            Ok(false) => Ok(None),
            Err(error) => Err(Failure::Data(format!(
                "cannot look for {}: {error}; choose another directory with --data",
                path.display()
            ))),
        }
    }

    /// Sessions, to be read and edited.
    pub(crate) fn sessions(&self) -> &dyn SessionStore {
        self.store.as_ref()
    }

    /// What runs turns.
    pub(crate) fn service(&self) -> Result<TurnService, Failure> {
        let config = &self.resolved.config;
        let clock = Arc::new(SystemClock);
        let tools = turnkit_tools::built_in(clock.clone());
        let agents = config.agents.iter().map(|agent| build_agent(agent, config, &tools)).collect();
        Ok(TurnService::new(ServiceParts {
            store: self.store.clone(),
            sessions: self.store.clone(),
            broker: Arc::new(InProcess::new(clock.clone())),
            provider: build_provider(&self.resolved)?,
            agents,
            clock,
            ids: Arc::new(RandomIds),
            worker: WorkerId("local".into()),
            slots: config.worker.slots,
            failpoints: Failpoints::default(),
        }))
    }

    /// How long running turns may finish when the process ends.
    pub(crate) fn drain(&self) -> Duration {
        Duration::from_secs(self.resolved.config.server.drain_s)
    }
}

/// What an agent wants done with a message for a busy session.
fn busy_policy(on_busy: OnBusy) -> BusyPolicy {
    match on_busy {
        OnBusy::Enqueue => BusyPolicy::Enqueue,
        OnBusy::Reject => BusyPolicy::Reject,
        OnBusy::Interrupt => BusyPolicy::Interrupt,
    }
}

fn database(resolved: &Resolved, data: Option<&Path>) -> Result<SqliteOptions, Failure> {
    if let Some(directory) = data {
        return Ok(SqliteOptions::at(directory.join(DATABASE)));
    }
    let url = resolved.config.store.url.parse::<SqliteOptions>();
    let url = url.map_err(|error| resolved.source.complaint("store.url", error.to_string()))?;
    Ok(url.relative_to(&resolved.folder))
}

fn directory_of(database: &SqliteOptions) -> PathBuf {
    match database.path().parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

fn held(error: &LockError) -> Failure {
    let way_out = match error {
        LockError::Held { .. } => "; stop it, or choose another directory with --data",
        LockError::Unusable { .. } => "; choose another directory with --data",
    };
    Failure::Data(format!("{error}{way_out}"))
}

fn build_agent(agent: &AgentConfig, config: &Config, tools: &[Arc<dyn Tool>]) -> Agent {
    let settings = AgentSettings {
        model: agent.route.model.as_deref().map(|model| ModelName(model.into())),
        params: Params { thinking: agent.thinking, ..Params::default() },
        limits: Limits {
            max_rounds: agent.max_rounds.unwrap_or(Limits::default().max_rounds),
            max_calls: config.limits.max_tool_calls,
            on_limit: agent.on_limit,
        },
        turn_deadline: Duration::from_secs(config.limits.turn_deadline_s),
        rules: config.permissions.rules.clone(),
        tool_runs: ToolRuns {
            concurrency: config.tools.concurrency,
            timeout: Duration::from_secs(config.tools.timeout_s),
            result_max_chars: config.tools.result_max_chars,
        },
        busy: busy_policy(agent.on_busy),
    };
    let flow = Arc::new(Instructions(agent.instructions.clone()));
    Agent { name: agent.name.clone(), flow, tools: allowed_tools(agent, tools), settings }
}

/// The tools an agent names. The configuration was checked: it names none that is not there.
fn allowed_tools(agent: &AgentConfig, tools: &[Arc<dyn Tool>]) -> Vec<Arc<dyn Tool>> {
    let named = |tool: &Arc<dyn Tool>| agent.tools.iter().any(|name| name == "*" || *name == tool.definition().name);
    tools.iter().filter(|tool| named(tool)).cloned().collect()
}

/// What answers. The configuration was checked: there is one provider.
fn build_provider(resolved: &Resolved) -> Result<Arc<dyn LlmProvider>, Failure> {
    match resolved.config.providers.first() {
        Some(provider) if provider.api == Api::OpenaiChat => match Provider::new(endpoint(provider)) {
            Ok(built) => Ok(Arc::new(built)),
            Err(error) => Err(resolved.source.complaint(setting_of(&error), error.to_string()).into()),
        },
        _ => Ok(Arc::new(OfflineResponder)),
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
