//! How one of several providers is chosen.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::value::{some_positive, some_rate};

#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct RouterConfig {
    /// Who is asked first among providers that fit equally well.
    pub(crate) strategy: StrategyConfig,
    /// How many seconds a call waits for a place where all providers that fit are busy.
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
    /// The first in the configuration.
    #[default]
    Priority,
    /// Each in turn.
    RoundRobin,
    /// Any.
    Random,
    /// The one that could be giving the most further answers.
    LeastLoaded,
    /// The one whose input costs least.
    Cost,
}

/// Which providers may answer. Without `provider`, others stand in for one that fails.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct RouteConfig {
    /// The id of the provider that answers or nobody does. Absent: whoever fits.
    pub(crate) provider: Option<String>,
    /// The model that is wanted. Absent: the first of whoever answers.
    pub(crate) model: Option<String>,
    /// What a provider must be tagged with.
    pub(crate) tags: Vec<String>,
    /// How urgent it is: each tier leaves room for those above it.
    pub(crate) tier: TierConfig,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TierConfig {
    /// It takes the last place.
    Critical,
    /// A fifth of each provider's places stays free for others.
    #[default]
    Normal,
    /// Half of them do.
    Idle,
}

/// How often a provider may be asked; more wait, in order.
#[derive(Debug, Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProviderRateConfig {
    /// How many requests a second, such as `2`, or `0.5` for one in two seconds.
    #[serde(default, deserialize_with = "some_rate")]
    pub(crate) requests_per_second: Option<f64>,
    /// How many requests at once, after a while without any. Absent: as many as in a second.
    #[serde(default, deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) burst: Option<u32>,
    /// How many tokens a minute, of requests and answers together.
    #[serde(default, deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) tokens_per_minute: Option<u32>,
}
