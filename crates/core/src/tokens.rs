//! Token usage as clients receive it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Cost, RawJson, Str, Usage};

/// Token counts, split by price category. The cost is reported beside them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Usage")]
pub struct Tokens {
    /// Input tokens that were not cached.
    pub fresh: u64,
    /// Input tokens read from the provider's cache.
    pub cache_read: u64,
    /// Input tokens written to the provider's cache.
    pub cache_write: u64,
    /// Output tokens, reasoning included.
    pub output: u64,
    /// The output tokens that were reasoning, included in `output`.
    pub reasoning: u64,
    /// Model calls whose provider reported no usage.
    pub unmetered_calls: u32,
    /// The provider's own usage object, for a single call only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Value>")]
    pub raw: Option<RawJson>,
}

impl Tokens {
    /// Returns the tokens of `usage`, without their cost.
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

    /// Returns the usage with this cost.
    pub fn costing(self, cost: Cost, prices: Option<Str>) -> Usage {
        let Self { fresh, cache_read, cache_write, output, reasoning, unmetered_calls, raw } = self;
        Usage { fresh, cache_read, cache_write, output, reasoning, unmetered_calls, cost, prices, raw }
    }
}
