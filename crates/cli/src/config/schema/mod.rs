//! Every key there is, with its default. The doc comments here are the descriptions of the JSON Schema that
//! `turnkit schema` prints: they speak to whoever writes a configuration.

mod agent;
mod budgets;
mod files;
mod http_tool;
mod json;
mod limits;
mod model;
mod permissions;
mod prompt;
mod provider;
mod router;
mod run_command;
mod server;
mod think_tags;
mod tools;
mod value;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) use agent::{AgentConfig, CompactRouteConfig, OnBusy, OnLimit, OnStreamFailure, ParamsConfig, PruneConfig};
pub(crate) use budgets::{BudgetConfig, BudgetsConfig};
pub(crate) use files::FilesConfig;
pub(crate) use http_tool::HttpToolConfig;
pub(crate) use json::JsonConfig;
pub(crate) use limits::{LimitsConfig, WorkerConfig};
pub(crate) use model::{CapabilityConfig, ModelConfig, PricesConfig, ThinkingFormConfig};
pub(crate) use permissions::{
    Decision, ExampleConfig, PermissionModeConfig, PermissionsConfig, RuleConfig, TrustConfig,
};
pub(crate) use prompt::PromptConfig;
pub(crate) use provider::{Api, ProviderConfig, SchemaConfig, Secret, TimeoutsConfig};
pub(crate) use router::{ProviderRateConfig, RouteConfig, RouterConfig, StrategyConfig, TierConfig};
pub(crate) use run_command::RunCommandConfig;
pub(crate) use server::{
    AuthConfig, AuthMode, BrokerConfig, Listen, LogConfig, LogFormat, LogLevel, ServerConfig, StoreConfig,
};
pub(crate) use think_tags::ThinkTagsConfig;
pub(crate) use tools::{CommandToolConfig, ToolsConfig};

/// Names and values of environment variables.
pub(crate) type Environment = BTreeMap<String, String>;

/// Configuration of turnkit. Every key outside `providers`, `agents`, `prompts` and lists of tools is also an environment
/// variable, such as `TURNKIT_SERVER__LISTEN`; `${NAME}` in a text stands for the environment variable NAME, `$${NAME}` for itself.
/// Relative paths start at the folder of the file.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(title = "turnkit.toml")]
pub(crate) struct Config {
    /// Where `turnkit serve` is found, and by whom.
    pub(crate) server: ServerConfig,
    /// Who may use the server.
    pub(crate) auth: AuthConfig,
    /// Where sessions and turns are kept.
    pub(crate) store: StoreConfig,
    /// How the processes of an installation find running turns.
    pub(crate) broker: BrokerConfig,
    /// What a turn and a request may use up.
    pub(crate) limits: LimitsConfig,
    /// What may be consumed, in tokens and money. It is looked at before each model call; a turn that finds a budget used
    /// up ends as `limit` with what it has.
    pub(crate) budgets: BudgetsConfig,
    /// The part of the process that runs turns.
    pub(crate) worker: WorkerConfig,
    /// What `turnkit serve` writes to standard error.
    pub(crate) log: LogConfig,
    /// Who answers. Without any, it is the first vendor of docs/providers.md whose key is set, such as OPENAI_API_KEY,
    /// else the offline responder.
    pub(crate) providers: Vec<ProviderConfig>,
    /// How one of several providers is chosen.
    pub(crate) router: RouterConfig,
    /// Who can be talked to. The first is the default.
    pub(crate) agents: Vec<AgentConfig>,
    /// Prompts that sessions can select, as `prompt` of `POST` and `PATCH` of sessions.
    pub(crate) prompts: Vec<PromptConfig>,
    /// Which tools may run.
    pub(crate) permissions: PermissionsConfig,
    /// How tools run, and tools made of programs and requests.
    pub(crate) tools: ToolsConfig,
    /// Files that users send with their messages.
    pub(crate) files: FilesConfig,
}
