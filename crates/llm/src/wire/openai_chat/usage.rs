//! Converts the provider's token counts.

use serde::Deserialize;
use serde_json::value::RawValue;
use turnkit_core::{Cost, RawJson, Usage};

use crate::wire::lenient::{Number, Object};
use crate::wire::reported_tokens::ReportedTokens;

#[derive(Deserialize)]
struct Counts {
    #[serde(default)]
    prompt_tokens: Number,
    #[serde(default)]
    completion_tokens: Number,
    /// The names of the same counts in Responses.
    #[serde(default)]
    input_tokens: Number,
    #[serde(default)]
    output_tokens: Number,
    #[serde(default)]
    total_tokens: Number,
    #[serde(default)]
    prompt_tokens_details: Object<PromptDetails>,
    #[serde(default)]
    input_tokens_details: Object<PromptDetails>,
    #[serde(default)]
    completion_tokens_details: Object<CompletionDetails>,
    #[serde(default)]
    output_tokens_details: Object<CompletionDetails>,
    /// DeepSeek's name for tokens read from its cache.
    #[serde(default)]
    prompt_cache_hit_tokens: Number,
    /// Moonshot's name for the same.
    #[serde(default)]
    cached_tokens: Number,
    /// Where some servers report reasoning tokens.
    #[serde(default)]
    reasoning_tokens: Number,
}

#[derive(Deserialize, Default)]
struct PromptDetails {
    #[serde(default)]
    cached_tokens: Number,
    #[serde(default)]
    cache_write_tokens: Number,
}

#[derive(Deserialize, Default)]
struct CompletionDetails {
    #[serde(default)]
    reasoning_tokens: Number,
}

/// Converts the counts, or returns `None` if the provider's object counts neither input nor output.
///
/// The provider's input includes cached tokens, while [`Usage`] separates them. Some vendors do not include reasoning
/// in the output, which shows only in their total. [`Usage`] always includes it.
pub(in crate::wire) fn usage(raw: &RawValue) -> Option<Usage> {
    let counts = counts(raw.get())?;
    let total = counts.total_tokens.0;
    let ReportedTokens { input, output, reasoning, cache_read, cache_write } = counts.counted();
    if input.is_none() && output.is_none() {
        return None;
    }
    let prompt = input.unwrap_or(0);
    let cache_read = cache_read.unwrap_or(0).min(prompt);
    let cache_write = cache_write.unwrap_or(0).min(prompt - cache_read);

    let completion = output.unwrap_or(0);
    let reasoning = reasoning.unwrap_or(0);
    let with_reasoning = completion.saturating_add(reasoning);
    let counted_apart = total == Some(prompt.saturating_add(with_reasoning));
    let output = if counted_apart { with_reasoning } else { completion };

    Some(Usage {
        fresh: prompt - cache_read - cache_write,
        cache_read,
        cache_write,
        output,
        reasoning: reasoning.min(output),
        unmetered_calls: 0,
        cost: Cost::default(),
        prices: None,
        raw: RawJson::parse(raw.get()).ok(),
    })
}

/// Returns the counts as reported by the provider.
pub(in crate::wire) fn counted(usage: &Usage) -> ReportedTokens {
    let counts = usage.raw.as_ref().and_then(|raw| counts(raw.get()));
    counts.map(Counts::counted).unwrap_or_default()
}

fn counts(raw: &str) -> Option<Counts> {
    serde_json::from_str::<Object<_>>(raw).ok()?.0
}

impl Counts {
    fn counted(self) -> ReportedTokens {
        let prompt_details = self.prompt_tokens_details.0.or(self.input_tokens_details.0).unwrap_or_default();
        let completion_details = self.completion_tokens_details.0.or(self.output_tokens_details.0).unwrap_or_default();
        // Servers that do not count these write a zero besides the details they omit.
        let counted = |beside: Number| beside.0.filter(|count| *count > 0);
        let cached = prompt_details.cached_tokens.0.or(self.prompt_cache_hit_tokens.0);
        ReportedTokens {
            input: self.prompt_tokens.0.or(self.input_tokens.0),
            output: self.completion_tokens.0.or(self.output_tokens.0),
            reasoning: completion_details.reasoning_tokens.0.or_else(|| counted(self.reasoning_tokens)),
            cache_read: cached.or_else(|| counted(self.cached_tokens)),
            cache_write: prompt_details.cache_write_tokens.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Option<Usage> {
        let mut usage = usage(&RawValue::from_string(json.to_owned()).unwrap())?;
        assert_eq!(usage.raw.take().unwrap().get(), json);
        Some(usage)
    }

    #[test]
    fn counts_are_split_the_way_they_are_priced() {
        let counted = |fresh, cache_read, cache_write, output, reasoning| {
            Some(Usage { fresh, cache_read, cache_write, output, reasoning, ..Usage::default() })
        };
        for (json, expected) in [
            (r#"{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}"#, counted(10, 0, 0, 5, 0)),
            (r#"{"prompt_tokens":10,"prompt_tokens_details":{"cached_tokens":4}}"#, counted(6, 4, 0, 0, 0)),
            (
                r#"{"prompt_tokens":10,"prompt_tokens_details":{"cached_tokens":4,"cache_write_tokens":5}}"#,
                counted(1, 4, 5, 0, 0),
            ),
            (r#"{"prompt_tokens":10,"prompt_cache_hit_tokens":9}"#, counted(1, 9, 0, 0, 0)),
            (r#"{"prompt_tokens":10,"cached_tokens":3,"prompt_tokens_details":null}"#, counted(7, 3, 0, 0, 0)),
            (r#"{"completion_tokens":9,"completion_tokens_details":{"reasoning_tokens":7}}"#, counted(0, 0, 0, 9, 7)),
            (
                r#"{"prompt_tokens":10,"completion_tokens":2,"total_tokens":19,"completion_tokens_details":{"reasoning_tokens":7}}"#,
                counted(10, 0, 0, 9, 7),
            ),
            (r#"{"prompt_tokens":1,"prompt_tokens_details":{"cached_tokens":99}}"#, counted(0, 1, 0, 0, 0)),
            (r#"{"prompt_tokens":-4,"completion_tokens":3}"#, counted(0, 0, 0, 3, 0)),
            (r#"{"prompt_tokens":18446744073709551616}"#, counted(u64::MAX, 0, 0, 0, 0)),
            (r#"{"prompt_tokens":2.0,"completion_tokens":"3"}"#, counted(2, 0, 0, 3, 0)),
            (
                r#"{"input_tokens":10,"input_tokens_details":{"cached_tokens":4},"output_tokens":9,"output_tokens_details":{"reasoning_tokens":7}}"#,
                counted(6, 4, 0, 9, 7),
            ),
            (r#"{}"#, None),
            (r#"{"prompt_tokens":null}"#, None),
            (
                r#"{"prompt_tokens":3,"prompt_tokens_details":[1],"completion_tokens_details":"-"}"#,
                counted(3, 0, 0, 0, 0),
            ),
            (r#"[]"#, None),
            (r#"[3,4]"#, None),
        ] {
            assert_eq!(read(json), expected, "{json}");
        }
    }
}
