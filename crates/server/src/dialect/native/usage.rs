//! Tokens as JSON. What they cost stands beside them.

use serde::{Deserialize, Serialize};
use turnkit_core::{Cost, RawJson, Str, Usage};

/// Tokens, split the way they are priced.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UsageJson {
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
    pub raw: Option<RawJson>,
}

impl UsageJson {
    /// The JSON of what was consumed, without what that cost.
    pub fn of(usage: &Usage) -> Self {
        let Usage { fresh, cache_read, cache_write, output, reasoning, unmetered_calls, raw, .. } = usage.clone();
        Self { fresh, cache_read, cache_write, output, reasoning, unmetered_calls, raw }
    }

    /// Returns the usage with what it cost.
    pub fn costing(self, cost: Cost, prices: Option<Str>) -> Usage {
        let Self { fresh, cache_read, cache_write, output, reasoning, unmetered_calls, raw } = self;
        Usage { fresh, cache_read, cache_write, output, reasoning, unmetered_calls, cost, prices, raw }
    }
}
