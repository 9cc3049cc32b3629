//! The sections `[limits]` and `[worker]`.

use std::num::NonZeroU32;

use schemars::JsonSchema;
use serde::Deserialize;

use super::value::positive;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LimitsConfig {
    /// The longest time of a turn, in seconds. Time spent waiting for people does not count.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) turn_deadline_s: u64,
    /// The largest number of tool calls in one turn.
    pub(crate) max_tool_calls: u32,
    /// The number of crashes of the server in the same step after which a turn fails with `attempts_exhausted`. A crash
    /// counts for all turns that ran at that moment. Stopping the server does not count.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) max_attempts: u16,
    /// The largest body of a request, in bytes.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) body_bytes: usize,
    /// How often each user may send requests. Further requests are answered with 429. Default: no limit.
    pub(crate) rate_limit: Option<RateConfig>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RateConfig {
    /// The number of requests per second.
    pub(crate) requests_per_second: NonZeroU32,
    /// The largest burst of requests, after a time without any.
    pub(crate) burst: NonZeroU32,
}

impl Default for LimitsConfig {
    fn default() -> Self {
        Self { turn_deadline_s: 900, max_tool_calls: 100, max_attempts: 3, body_bytes: 1024 * 1024, rate_limit: None }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct WorkerConfig {
    /// Whether this process runs turns. It must, because no other process can run them yet.
    pub(crate) enabled: bool,
    /// The number of turns that run at once. Further turns wait.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) slots: usize,
}

impl Default for WorkerConfig {
    fn default() -> Self {
        Self { enabled: true, slots: 20_000 }
    }
}
