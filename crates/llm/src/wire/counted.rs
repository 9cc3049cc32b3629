//! Token counts as a provider tells them.

use serde::Serialize;

/// What a provider counted, in its own way of counting: OpenAI and Google have cached tokens inside `input`, Anthropic
/// beside it. What it did not tell is absent, not zero. [`Usage`](turnkit_core::Usage) has the same split as it is priced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Counted {
    /// Input tokens.
    pub input: Option<u64>,
    /// Output tokens.
    pub output: Option<u64>,
    /// Tokens of reasoning; inside `output` or beside it, as the vendor has it.
    pub reasoning: Option<u64>,
    /// Input tokens read from a cache.
    pub cache_read: Option<u64>,
    /// Input tokens written to a cache.
    pub cache_write: Option<u64>,
}
