//! The configuration: a file, the environment and defaults, resolved by pure functions.

mod check;
mod environment;
mod error;
mod json_schema;
mod place;
mod providers;
mod resolve;
mod schema;
mod shape;
mod source;

pub(crate) use environment::{RECORD, api_key};
pub(crate) use error::ConfigError;
pub(crate) use json_schema::json_schema;
pub(crate) use place::{Resolved, load, load_without_keys};
pub(crate) use schema::{
    AgentConfig, Api, AuthMode, BudgetConfig, BudgetsConfig, CapabilityConfig, Config, Decision, Listen, LogConfig,
    LogFormat, LogLevel, ModelConfig, OnBusy, OnLimit, OnStreamFailure, PricesConfig, ProviderConfig,
    ProviderRateConfig, RouteConfig, RuleConfig, SchemaConfig, StrategyConfig, ThinkTagsConfig, Thinking, TierConfig,
    TimeoutsConfig,
};
