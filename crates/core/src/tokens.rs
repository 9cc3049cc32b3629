//! What model calls consumed, as clients are shown it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Cost, RawJson, Str, Usage};

/// Tokens, split the way they are priced. What they cost stands beside them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Usage")]
pub struct Tokens {
    /// Input tokens that no cache held.
    pub fresh: u64,
    /// Input tokens read from the provider's cache.
    pub cache_read: u64,
    /// Input tokens written to the provider's cache.
    pub cache_write: u64,
    /// Output tokens, reasoning included.
    pub output: u64,
    /// The part of `output` that was reasoning.
    pub reasoning: u64,
    /// Model calls whose provider reported no usage.
    pub unmetered_calls: u32,
    /// The provider's own object, of a single call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Value>")]
    pub raw: Option<RawJson>,
}

impl Tokens {
    /// The tokens of `usage`, without what they cost.
    pub fn of(usage: &Usage) -> Self {
        let Usage { fresh, cache_read, cache_write, output, reasoning, unmetered_calls, raw, .. } = usage;
        Self {
            fresh: *fresh,
            cache_read: *cache_read,
            cache_write: *cache_write,
            output: *output,
            reasoning: *reasoning,
            unmetered_calls: *unmetered_calls,
            raw: raw.clone(),
        }
    }

    /// Returns the usage with what it cost.
    pub fn costing(self, cost: Cost, prices: Option<Str>) -> Usage {
        let Self { fresh, cache_read, cache_write, output, reasoning, unmetered_calls, raw } = self;
        Usage { fresh, cache_read, cache_write, output, reasoning, unmetered_calls, cost, prices, raw }
    }
}
