//! The configuration: a file, the environment and defaults, resolved by pure functions.

mod check;
mod data;
mod environment;
mod error;
mod filled;
mod json_schema;
pub(crate) mod mcp;
mod nearest;
mod permission;
mod place;
mod programs;
mod prompt;
mod providers;
mod proxy;
mod resolve;
mod run_command;
mod schema;
mod shape;
mod short_rule;
mod source;
mod subject_kind;
mod tools;
mod unused;
mod variables;
mod warnings;

pub(crate) use check::{is_tool, lists_tool, matches_tool, missing_section, server_of};
pub(crate) use environment::{RECORD, api_key};
pub(crate) use error::{ConfigError, in_words};
pub(crate) use json_schema::json_schema;
pub(crate) use place::{DATABASE, Resolved, load, load_without_keys};
pub(crate) use programs::program_environment;
pub(crate) use run_command::check_hidden;
pub(crate) use schema::{
    AgentConfig, Api, AuthMode, BudgetConfig, BudgetsConfig, CapabilityConfig, ClientConfig, CompactRouteConfig,
    Config, JwtConfig, Listen, LogConfig, LogFormat, LogLevel, McpConfig, ModelConfig, OnBusy, OnLimit,
    OnStreamFailure, ParamsConfig, PricesConfig, PromptConfig, ProviderConfig, ProviderRateConfig, PruneConfig,
    RouteConfig, RuleConfig, SchemaConfig, Secret, StrategyConfig, ThinkTagsConfig, ThinkingFormConfig, TierConfig,
    TimeoutsConfig, TrustConfig,
};
