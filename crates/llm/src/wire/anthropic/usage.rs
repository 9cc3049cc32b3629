//! Converts the provider's token counts.

use serde::Deserialize;
use serde_json::value::RawValue;
use turnkit_core::{Cost, RawJson, Usage};

use crate::wire::lenient::{Number, Object};
use crate::wire::reported_tokens::ReportedTokens;

/// The counts so far. A stream reports its input at the start and its output at the end, and may repeat either.
#[derive(Debug, Clone, Default)]
pub(super) struct Counter {
    counts: Counts,
    raw: Option<RawJson>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
struct Counts {
    #[serde(default)]
    input_tokens: Number,
    #[serde(default)]
    cache_read_input_tokens: Number,
    #[serde(default)]
    cache_creation_input_tokens: Number,
    #[serde(default)]
    output_tokens: Number,
    #[serde(default)]
    output_tokens_details: Object<OutputDetails>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
struct OutputDetails {
    #[serde(default)]
    thinking_tokens: Number,
}

impl Counter {
    /// Adds a usage object and returns the updated usage; `None` if the object counts neither input nor output.
    pub(super) fn take(&mut self, raw: &RawValue) -> Option<Usage> {
        let new: Counts = serde_json::from_str::<Object<_>>(raw.get()).ok()?.0?;
        if new.input_tokens.0.is_none() && new.output_tokens.0.is_none() {
            return None;
        }
        let known = &mut self.counts;
        let update = |known: &mut Number, new: Number| known.0 = new.0.or(known.0);
        update(&mut known.input_tokens, new.input_tokens);
        update(&mut known.cache_read_input_tokens, new.cache_read_input_tokens);
        update(&mut known.cache_creation_input_tokens, new.cache_creation_input_tokens);
        update(&mut known.output_tokens, new.output_tokens);
        known.output_tokens_details.0 = new.output_tokens_details.0.or(known.output_tokens_details.0);
        // The object at the end usually repeats the input. If it does not, the one at the start holds more.
        if self.raw.is_none() || new.input_tokens.0.is_some() {
            self.raw = RawJson::parse(raw.get()).ok();
        }
        Some(self.usage())
    }

    /// The provider counts cached input separately from the rest, like `Usage`.
    fn usage(&self) -> Usage {
        let count = |number: Number| number.0.unwrap_or(0);
        let output = count(self.counts.output_tokens);
        let reasoning = self.counts.output_tokens_details.0.map_or(0, |details| count(details.thinking_tokens));
        Usage {
            fresh: count(self.counts.input_tokens),
            cache_read: count(self.counts.cache_read_input_tokens),
            cache_write: count(self.counts.cache_creation_input_tokens),
            output,
            reasoning: reasoning.min(output),
            unmetered_calls: 0,
            cost: Cost::default(),
            prices: None,
            raw: self.raw.clone(),
        }
    }
}

/// Returns the counts as reported by the provider. Counts that it did not report are absent, not zero.
pub(in crate::wire) fn counted(usage: &Usage) -> ReportedTokens {
    let reported = usage.raw.as_ref().and_then(|raw| serde_json::from_str::<Object<Counts>>(raw.get()).ok()?.0);
    let reported = reported.unwrap_or_default();
    let count = |count: u64, reported: Number| Some(count).filter(|count| *count > 0 || reported.0.is_some());
    let thought = reported.output_tokens_details.0.map(|details| details.thinking_tokens).unwrap_or_default();
    ReportedTokens {
        input: count(usage.fresh, reported.input_tokens),
        output: count(usage.output, reported.output_tokens),
        reasoning: count(usage.reasoning, thought),
        cache_read: count(usage.cache_read, reported.cache_read_input_tokens),
        cache_write: count(usage.cache_write, reported.cache_creation_input_tokens),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_usage_replaces_earlier_usage() {
        let mut counter = Counter::default();
        let mut take = |json: &str| {
            let usage = counter.take(&RawValue::from_string(json.to_owned()).unwrap())?;
            Some((usage.fresh, usage.cache_read, usage.cache_write, usage.output, usage.reasoning))
        };
        for (json, expected) in [
            ("null", None),
            (r#"{"service_tier":"standard"}"#, None),
            (r#"{"input_tokens":10,"cache_read_input_tokens":4,"output_tokens":1}"#, Some((10, 4, 0, 1, 0))),
            (r#"{"output_tokens":7}"#, Some((10, 4, 0, 7, 0))),
            (r#"{"input_tokens":null,"output_tokens":8,"cache_creation_input_tokens":2}"#, Some((10, 4, 2, 8, 0))),
            (
                r#"{"input_tokens":12,"output_tokens":9,"output_tokens_details":{"thinking_tokens":5}}"#,
                Some((12, 4, 2, 9, 5)),
            ),
            (r#"{"output_tokens":-1,"input_tokens":"13"}"#, Some((13, 4, 2, 9, 5))),
        ] {
            assert_eq!(take(json), expected, "{json}");
        }
    }
}
