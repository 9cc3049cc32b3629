//! What a model call consumed.

use serde::{Deserialize, Serialize};

use crate::{Cost, RawJson, Str};

/// Tokens, split the way they are priced. Sums of steps are the turn's, sums of turns the session's.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
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
    /// Model calls whose provider reported no usage, or broke off before it had reported all. What it did not count is not
    /// guessed.
    pub unmetered_calls: u32,
    /// What they cost; in what providers report it is not known yet.
    #[serde(default = "Cost::unknown", skip_serializing_if = "Cost::is_unknown")]
    pub cost: Cost,
    /// The version of the prices that `cost` was made with; kept per step, not in sums.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prices: Option<Str>,
    /// The provider's own usage object; kept per step, not in sums.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<RawJson>,
}

impl Usage {
    /// The usage of a call whose provider did not report any.
    pub fn unmetered() -> Self {
        Self { unmetered_calls: 1, cost: Cost::UNKNOWN, ..Self::default() }
    }

    /// All input tokens.
    pub fn input(&self) -> u64 {
        self.fresh.saturating_add(self.cache_read).saturating_add(self.cache_write)
    }

    /// Adds the numbers of `other`.
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
