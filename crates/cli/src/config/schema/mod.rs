//! All configuration keys, with their defaults. The doc comments of this module become the descriptions in the JSON
//! Schema that `turnkit schema` prints, so they address the author of a configuration.

mod agent;
mod budgets;
mod files;
mod http_tool;
mod json;
mod jwt;
mod limits;
mod mcp;
mod model;
mod page;
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
pub(crate) use http_tool::{HttpToolConfig, MethodConfig};
pub(crate) use json::JsonConfig;
pub(crate) use jwt::JwtConfig;
pub(crate) use limits::{LimitsConfig, WorkerConfig};
pub(crate) use mcp::{ClientAuthConfig, ClientConfig, McpAuthConfig, McpConfig, McpTrustConfig};
pub(crate) use model::{CapabilityConfig, ModelConfig, PricesConfig, ThinkingFormConfig};
pub(crate) use page::PageConfig;
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

/// Configuration of turnkit. Every key outside `providers`, `agents`, `prompts`, `mcp` and lists of tools can also be
/// set as an environment variable, such as `TURNKIT_SERVER__LISTEN`. `${NAME}` in a text is replaced by the environment
/// variable NAME, and `$${NAME}` by the text `${NAME}`. Relative paths start at the folder of the file.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(title = "turnkit.toml")]
pub(crate) struct Config {
    /// The address of `turnkit serve`, and the clients that may reach it.
    pub(crate) server: ServerConfig,
    /// The authentication of requests to the server.
    pub(crate) auth: AuthConfig,
    /// The storage of sessions and turns.
    pub(crate) store: StoreConfig,
    /// The broker, through which the processes of an installation find running turns.
    pub(crate) broker: BrokerConfig,
    /// Limits of turns and requests.
    pub(crate) limits: LimitsConfig,
    /// Budgets of tokens and money. They are checked before each model call. A turn that finds a budget used up ends as
    /// `limit`, with the answer it has so far.
    pub(crate) budgets: BudgetsConfig,
    /// The part of the process that runs turns.
    pub(crate) worker: WorkerConfig,
    /// The log that `turnkit serve` writes to standard error.
    pub(crate) log: LogConfig,
    /// The providers of models. Without any, turnkit uses the first vendor of docs/providers.md whose key is set, such
    /// as OPENAI_API_KEY, else the offline responder.
    pub(crate) providers: Vec<ProviderConfig>,
    /// The choice among several providers.
    pub(crate) router: RouterConfig,
    /// The agents. The first is the default.
    pub(crate) agents: Vec<AgentConfig>,
    /// Prompts that sessions can select, as `prompt` of `POST` and `PATCH` of sessions.
    pub(crate) prompts: Vec<PromptConfig>,
    /// Rules about which tools may run.
    pub(crate) permissions: PermissionsConfig,
    /// Settings of tool calls, and tools that run programs or send requests.
    pub(crate) tools: ToolsConfig,
    /// MCP servers, whose tools agents may use.
    pub(crate) mcp: Vec<McpConfig>,
    /// Files that users send with their messages.
    pub(crate) files: FilesConfig,
    /// The web page of `turnkit serve`.
    pub(crate) page: PageConfig,
}
