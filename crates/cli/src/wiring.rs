//! The one place that names concrete backends.

use std::path::PathBuf;
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
use turnkit_llm::{Endpoint, Provider, Secret, Timeouts};
use turnkit_store::{DataDirectory, LockError, SqliteOptions, SqliteStore};

use crate::args::Place;
use crate::config::{AgentConfig, Api, Config, OnBusy, ProviderConfig, Resolved, TimeoutsConfig, load};
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
    /// Opens the data that configuration and command line name.
    pub(crate) fn open(place: &Place) -> Result<Self, Failure> {
        let resolved = load(place)?;
        let options = match &place.data {
            Some(directory) => SqliteOptions::at(directory.join(DATABASE)),
            None => {
                let url: SqliteOptions =
                    resolved.config.store.url.parse().map_err(|error| Failure::Usage(format!("store.url: {error}")))?;
                url.relative_to(&resolved.folder)
            }
        };
        let directory = options.path().parent().map(PathBuf::from).unwrap_or_default();
        let directory = DataDirectory::lock(directory).map_err(|error| held(&error))?;
        let store = SqliteStore::open(&options).map_err(|error| Failure::Data(error.to_string()))?;
        Ok(Self { resolved, scope: Scope::local(), store: Arc::new(store), _directory: directory })
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
        let configured: Vec<Agent> =
            config.agents.iter().map(|agent| build_agent(agent, config, &tools)).collect::<Result<_, _>>()?;
        let agents = if configured.is_empty() {
            vec![build_agent(&AgentConfig::default(), config, &tools)?]
        } else {
            configured
        };
        Ok(TurnService::new(ServiceParts {
            store: self.store.clone(),
            broker: Arc::new(InProcess::new(clock.clone())),
            provider: build_provider(&config.providers)?,
            agents,
            clock,
            ids: Arc::new(RandomIds),
            worker: WorkerId("local".into()),
            slots: config.worker.slots,
            failpoints: Failpoints::default(),
        }))
    }

    /// What an agent wants done with a message for a busy session.
    pub(crate) fn on_busy(&self, agent: Option<&str>) -> BusyPolicy {
        let agents = &self.resolved.config.agents;
        let found = agents.iter().find(|configured| agent.is_none_or(|name| configured.name == name));
        match found.map(|agent| agent.on_busy).unwrap_or_default() {
            OnBusy::Enqueue => BusyPolicy::Enqueue,
            OnBusy::Reject => BusyPolicy::Reject,
            OnBusy::Interrupt => BusyPolicy::Interrupt,
        }
    }

    /// How long running turns may finish when the process ends.
    pub(crate) fn drain(&self) -> Duration {
        Duration::from_secs(self.resolved.config.server.drain_s)
    }
}

fn held(error: &LockError) -> Failure {
    let way_out = match error {
        LockError::Held { .. } => "; stop it, or choose another directory with --data",
        LockError::Unusable { .. } => "; choose another directory with --data",
    };
    Failure::Data(format!("{error}{way_out}"))
}

fn build_agent(agent: &AgentConfig, config: &Config, tools: &[Arc<dyn Tool>]) -> Result<Agent, Failure> {
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
    };
    let flow = Arc::new(Instructions(agent.instructions.clone()));
    Ok(Agent { name: agent.name.clone(), flow, tools: allowed_tools(agent, tools)?, settings })
}

fn allowed_tools(agent: &AgentConfig, tools: &[Arc<dyn Tool>]) -> Result<Vec<Arc<dyn Tool>>, Failure> {
    if agent.tools.iter().any(|name| name == "*") {
        return Ok(tools.to_vec());
    }
    let find = |name: &String| {
        let found = tools.iter().find(|tool| tool.definition().name == *name).cloned();
        found.ok_or_else(|| {
            let known: Vec<&str> = tools.iter().map(|tool| tool.definition().name.as_str()).collect();
            Failure::Usage(format!(
                "agent `{}`: there is no tool `{name}`; the tools are {}",
                agent.name,
                known.join(", ")
            ))
        })
    };
    agent.tools.iter().map(find).collect()
}

/// The first provider. Until there is routing, more than one has no meaning.
fn build_provider(providers: &[ProviderConfig]) -> Result<Arc<dyn LlmProvider>, Failure> {
    let Some(provider) = providers.first() else { return Ok(Arc::new(OfflineResponder)) };
    match provider.api {
        Api::Offline => Ok(Arc::new(OfflineResponder)),
        Api::OpenaiChat => {
            let endpoint = Endpoint {
                id: provider.id.clone(),
                base_url: provider.base_url.clone().unwrap_or_default(),
                api_key: provider.api_key.as_ref().map(|key| Secret::new(key.0.as_str())),
                models: provider.models.iter().map(|model| ModelName(model.as_str().into())).collect(),
                timeouts: timeouts(provider.timeouts),
            };
            let built = Provider::new(endpoint);
            built
                .map(|built| Arc::new(built) as Arc<dyn LlmProvider>)
                .map_err(|error| Failure::Usage(error.to_string()))
        }
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
