//! The usage of model calls.

use serde::{Deserialize, Serialize};

use crate::{Cost, RawJson, Str};

/// Token counts, split by price category, with their cost. The usage of a turn is the sum over its steps; that of a
/// session is the sum over its turns.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
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
    /// Model calls whose provider reported no usage, or ended early before reporting all of it. Uncounted tokens are
    /// not estimated.
    pub unmetered_calls: u32,
    /// The cost of the tokens. It is not set yet in the usage that providers report.
    #[serde(default = "Cost::unknown", skip_serializing_if = "Cost::is_unknown")]
    pub cost: Cost,
    /// The version of the prices behind `cost`; kept per step, not in sums.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prices: Option<Str>,
    /// The provider's own usage object; kept per step, not in sums.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<RawJson>,
}

impl Usage {
    /// Returns the usage of a call whose provider reported none.
    pub fn unmetered() -> Self {
        Self { unmetered_calls: 1, cost: Cost::UNKNOWN, ..Self::default() }
    }

    /// Returns the number of all input tokens.
    pub fn input(&self) -> u64 {
        self.fresh.saturating_add(self.cache_read).saturating_add(self.cache_write)
    }

    /// Adds the counts and the cost of `other`.
    pub fn add(&mut self, other: &Self) {
        self.fresh = self.fresh.saturating_add(other.fresh);
        self.cache_read = self.cache_read.saturating_add(other.cache_read);
        self.cache_write = self.cache_write.saturating_add(other.cache_write);
        self.output = self.output.saturating_add(other.output);
        self.reasoning = self.reasoning.saturating_add(other.reasoning);
        self.unmetered_calls = self.unmetered_calls.saturating_add(other.unmetered_calls);
        self.cost.add(other.cost);
    }
}
