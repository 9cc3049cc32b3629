//! The choice among several providers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::value::{some_positive, some_rate};

#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct RouterConfig {
    /// Which of several equally suitable providers is tried first.
    pub(crate) strategy: StrategyConfig,
    /// The longest wait of a call while all suitable providers are busy, in seconds.
    pub(crate) max_wait_s: u64,
}

impl Default for RouterConfig {
    fn default() -> Self {
        Self { strategy: StrategyConfig::default(), max_wait_s: 30 }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StrategyConfig {
    /// The first provider in the configuration.
    #[default]
    Priority,
    /// Each provider in turn.
    RoundRobin,
    /// A random provider.
    Random,
    /// The provider with capacity for the most further answers.
    LeastLoaded,
    /// The provider with the cheapest input.
    Cost,
}

/// Which providers may answer. Without `provider`, another provider takes over from one that fails.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct RouteConfig {
    /// The id of the only provider that may answer. Default: any suitable provider.
    pub(crate) provider: Option<String>,
    /// The requested model. Default: the first model of the chosen provider.
    pub(crate) model: Option<String>,
    /// The tags that a provider must have.
    pub(crate) tags: Vec<String>,
    /// The urgency of the calls. Each tier leaves room for the tiers above it.
    pub(crate) tier: TierConfig,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TierConfig {
    /// May use all of a provider's capacity.
    Critical,
    /// Leaves a fifth of each provider's capacity free.
    #[default]
    Normal,
    /// Leaves half of each provider's capacity free.
    Idle,
}

/// The rate limit of a provider. Further requests wait, in order.
#[derive(Debug, Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProviderRateConfig {
    /// The number of requests per second, such as `2`, or `0.5` for one in two seconds.
    #[serde(default, deserialize_with = "some_rate")]
    pub(crate) requests_per_second: Option<f64>,
    /// The largest burst of requests, after a time without any. Default: the requests of one second.
    #[serde(default, deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) burst: Option<u32>,
    /// The number of tokens per minute, of requests and answers together.
    #[serde(default, deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) tokens_per_minute: Option<u32>,
}
