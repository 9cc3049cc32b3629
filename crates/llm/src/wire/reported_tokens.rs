//! Token counts as reported by a provider.

use serde::Serialize;

/// Token counts in the provider's own way of counting: OpenAI and Google include cached tokens in `input`, Anthropic
/// reports them separately. Unreported counts are absent, not zero. [`Usage`](turnkit_core::Usage) splits the tokens by
/// price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ReportedTokens {
    /// Input tokens.
    pub input: Option<u64>,
    /// Output tokens.
    pub output: Option<u64>,
    /// Reasoning tokens, included in `output` or separate from it, depending on the vendor.
    pub reasoning: Option<u64>,
    /// Input tokens read from a cache.
    pub cache_read: Option<u64>,
    /// Input tokens written to a cache.
    pub cache_write: Option<u64>,
}
