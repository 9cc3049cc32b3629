//! Converts the provider's token counts.

use serde::Deserialize;
use serde_json::value::RawValue;
use turnkit_core::{Cost, RawJson, Usage};

use crate::wire::lenient::{Number, Object};
use crate::wire::reported_tokens::ReportedTokens;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Counts {
    #[serde(default)]
    prompt_token_count: Number,
    #[serde(default)]
    cached_content_token_count: Number,
    /// Tokens of the results of the provider's own tools.
    #[serde(default)]
    tool_use_prompt_token_count: Number,
    #[serde(default)]
    candidates_token_count: Number,
    #[serde(default)]
    thoughts_token_count: Number,
}

/// Converts the counts, or returns `None` if the provider's object counts neither input nor output.
///
/// The provider counts cached input as part of its prompt, and counts tool results and thoughts separately. [`Usage`]
/// separates cached input and includes the others.
pub(super) fn usage(raw: &RawValue) -> Option<Usage> {
    let counts = counts(raw.get())?;
    if counts.prompt_token_count.0.is_none() && counts.candidates_token_count.0.is_none() {
        return None;
    }
    let count = |number: Number| number.0.unwrap_or(0);
    let prompt = count(counts.prompt_token_count);
    let cache_read = count(counts.cached_content_token_count).min(prompt);
    let reasoning = count(counts.thoughts_token_count);
    Some(Usage {
        fresh: (prompt - cache_read).saturating_add(count(counts.tool_use_prompt_token_count)),
        cache_read,
        cache_write: 0,
        output: count(counts.candidates_token_count).saturating_add(reasoning),
        reasoning,
        unmetered_calls: 0,
        cost: Cost::default(),
        prices: None,
        raw: RawJson::parse(raw.get()).ok(),
    })
}

/// Returns the counts as reported by the provider.
pub(in crate::wire) fn counted(usage: &Usage) -> ReportedTokens {
    let Some(counts) = usage.raw.as_ref().and_then(|raw| counts(raw.get())) else { return ReportedTokens::default() };
    ReportedTokens {
        input: counts.prompt_token_count.0,
        output: counts.candidates_token_count.0,
        reasoning: counts.thoughts_token_count.0,
        cache_read: counts.cached_content_token_count.0,
        cache_write: None,
    }
}

fn counts(raw: &str) -> Option<Counts> {
    serde_json::from_str::<Object<_>>(raw).ok()?.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_split_the_way_they_are_priced() {
        for (json, expected) in [
            (r#"{"promptTokenCount":10,"candidatesTokenCount":5,"totalTokenCount":15}"#, Some((10, 0, 5, 0))),
            (r#"{"promptTokenCount":10,"cachedContentTokenCount":4}"#, Some((6, 4, 0, 0))),
            (r#"{"promptTokenCount":10,"cachedContentTokenCount":14}"#, Some((0, 10, 0, 0))),
            (
                r#"{"promptTokenCount":10,"candidatesTokenCount":5,"thoughtsTokenCount":7,"toolUsePromptTokenCount":3}"#,
                Some((13, 0, 12, 7)),
            ),
            (r#"{"candidatesTokenCount":"5"}"#, Some((0, 0, 5, 0))),
            (r#"{"promptTokenCount":-1,"totalTokenCount":15}"#, None),
            ("null", None),
            ("[]", None),
        ] {
            let usage = usage(&RawValue::from_string(json.to_owned()).unwrap());
            assert_eq!(usage.map(|u| (u.fresh, u.cache_read, u.output, u.reasoning)), expected, "{json}");
        }
    }
}
