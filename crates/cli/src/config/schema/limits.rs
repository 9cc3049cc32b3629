//! Numbers that bound what runs.

use std::num::NonZeroU32;

use schemars::JsonSchema;
use serde::Deserialize;

use super::value::positive;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LimitsConfig {
    /// How many seconds a turn may take; time spent waiting for people does not count.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) turn_deadline_s: u64,
    /// How many tools one turn may call.
    pub(crate) max_tool_calls: u32,
    /// After how many deaths of the server in the same step a turn fails with `attempts_exhausted`. A death is shared by all
    /// turns that ran at that moment. Stopping the server counts nothing.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) max_attempts: u16,
    /// The largest body of a request, in bytes.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) body_bytes: usize,
    /// How often each user may send requests; more are answered with 429. Without it, as often as it likes.
    pub(crate) rate_limit: Option<RateConfig>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RateConfig {
    /// How many requests a second.
    pub(crate) requests_per_second: NonZeroU32,
    /// How many at once, after a while without any.
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
    /// Whether this process runs turns. It must: no other could yet.
    pub(crate) enabled: bool,
    /// How many turns run at once; more wait.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) slots: usize,
}

impl Default for WorkerConfig {
    fn default() -> Self {
        Self { enabled: true, slots: 20_000 }
    }
}
