//! Facts about models, loaded from `models.toml`.
//!
//! A `[[model]]` is one model. A `[[family]]` holds facts that models with similar names share. It applies to models
//! without an entry, and to facts that the entry of a model omits. If several families match, the one with the longest
//! name applies.
//!
//! | key | meaning |
//! |---|---|
//! | `names` | its names at vendors, in lower case; a `*` at the beginning or the end matches any text |
//! | `window` | the maximum number of tokens in a request and its answer together |
//! | `max_output` | the most tokens of an answer |
//! | `can` | all its [capabilities](crate::profile::Capability) |
//! | `cannot` | the capabilities that a family lacks, if its other ones are unknown |
//! | `prices` | dollars for a million tokens: `input`, `output`, and where they differ `cache_read` and `cache_write` (else `input`) and `reasoning` (else `output`), charged by the vendors in `at` |
//! | `long_prices` | the prices of requests with more than `above` input tokens |
//! | `thinking_form` | the form of its thinking setting, if its wire has more than one [form](crate::profile::ThinkingForm); else `effort` |
//! | `max_thinking` | the largest thinking `budget` that it accepts, in tokens, if less than `max_output` |
//! | `structured_output_with_tools` | whether a request that declares tools can enforce a JSON schema; default: yes |
//! | `needs_signatures` | whether it rejects tool calls without a signature (Gemini only); default: yes |
//! | `temperature`, `stop` | whether it takes a sampling temperature, and stop sequences; default: yes |
//! | `think_tags`, `text_calls` | the markup that its servers leave in its text, if it differs from its vendor's |
//!
//! A lookup ignores everything up to the last `/` of a name and everything from an `@`: vendors that serve other
//! makers' models write the maker and the version there.
//!
//! ```
//! use turnkit_llm::catalogue;
//! use turnkit_llm::profile::Capability;
//!
//! let known = catalogue::find(Some("openai"), "gpt-5-mini-2025-08-07").unwrap();
//! assert_eq!(known.window, Some(400_000));
//! assert!(known.can(Capability::Vision) && known.prices.is_some());
//! // The same model at a vendor with other prices:
//! assert!(catalogue::find(Some("openrouter"), "openai/gpt-5-mini").unwrap().prices.is_none());
//! assert!(catalogue::find(Some("openai"), "gpt-9").is_none());
//! ```

mod data;

use std::sync::LazyLock;

use crate::profile::ModelProfile;
use data::{Catalogue, Entry};

static ALL: LazyLock<Catalogue> = LazyLock::new(data::read);

/// Returns the facts about the vendor's model `name`. The prices are included only if `vendor` charges them.
pub fn find(vendor: Option<&str>, name: &str) -> Option<ModelProfile> {
    let name = bare(name).to_ascii_lowercase();
    let own = best(&ALL.models, vendor, &name).map(|entry| entry.profile_at(vendor));
    let family = best(&ALL.families, vendor, &name).map(|entry| entry.profile_at(vendor));
    match (own, family) {
        (Some(own), Some(family)) => Some(own.or(family)),
        (own, family) => own.or(family),
    }
}

/// Returns the entry with the longest match of `name`; of equal matches, one with the vendor's prices.
fn best<'a>(entries: &'a [Entry], vendor: Option<&str>, name: &str) -> Option<&'a Entry> {
    let matching = entries.iter().filter_map(|entry| Some((entry.matches(name)?, entry)));
    let best = matching.max_by_key(|(matched, entry)| (*matched, vendor.is_some_and(|at| entry.is_charged_at(at))));
    best.map(|(_, entry)| entry)
}

/// Returns the name of a model without maker and version.
fn bare(name: &str) -> &str {
    let own = name.rsplit('/').next().unwrap_or(name);
    own.split('@').next().unwrap_or(own)
}

#[cfg(test)]
mod tests {
    use turnkit_core::Usage;

    use super::*;
    use crate::profile::{Capability, ThinkingForm};
    use crate::vendors;

    #[test]
    fn a_model_is_known_by_the_names_its_vendors_give_it() {
        for (vendor, name, window, priced) in [
            (Some("openai"), "gpt-5-mini", Some(400_000), true),
            (Some("openai"), "gpt-5-mini-2025-08-07", Some(400_000), true),
            (Some("openai"), "GPT-5-Mini", Some(400_000), true),
            (Some("openai"), "gpt-5-mini-of-mine", None, false),
            (Some("openai"), "ft:gpt-5-mini:mine", None, false),
            (Some("azure"), "gpt-5-mini", Some(400_000), false),
            (None, "gpt-5-mini", Some(400_000), false),
            (Some("anthropic"), "claude-sonnet-4-5-20250929", Some(200_000), true),
            (Some("vertex"), "claude-sonnet-4-5@20250929", Some(200_000), false),
            (Some("vertex"), "google/gemini-2.5-flash", Some(1_048_576), true),
            (Some("openrouter"), "anthropic/claude-sonnet-4.5", Some(200_000), false),
            (Some("gemini"), "models/gemini-2.5-pro", Some(1_048_576), true),
            (Some("gemini"), "gemini-flash-latest", Some(1_048_576), false),
            (Some("ollama"), "qwen3:8b", None, false),
            (Some("openai"), "", None, false),
            (Some("openai"), "/", None, false),
        ] {
            let found = find(vendor, name);
            assert_eq!(found.as_ref().and_then(|model| model.window), window, "{vendor:?} {name}");
            assert_eq!(found.is_some_and(|model| model.prices.is_some()), priced, "{vendor:?} {name}");
        }
    }

    #[test]
    fn a_dated_opus_4_is_not_taken_for_a_later_one() {
        let output = |name: &str| {
            let prices = find(Some("anthropic"), name).unwrap().prices.unwrap();
            prices.cost(&Usage { output: 1_000_000, ..Usage::default() }).to_string()
        };
        assert_eq!(output("claude-opus-4-20250514"), "$75.00");
        assert_eq!(output("claude-opus-4-5-20251101"), "$25.00");
    }

    #[test]
    fn default_models_of_vendors_are_known() {
        for vendor in vendors::all() {
            let Some(model) = vendor.model.as_deref().filter(|model| *model != "openrouter/auto") else { continue };
            let window = find(Some(&vendor.name), model).and_then(|model| model.window);
            assert!(window.is_some(), "{} of {}", model, vendor.name);
        }
    }

    #[test]
    fn a_family_applies_to_models_without_an_entry_and_to_missing_fields() {
        // The window comes from the model's entry, the output limit and the form of thinking from its family.
        let facts = |name: &str| find(None, name).map(|known| (known.window, known.max_output, known.thinking_form));
        let budget = Some(ThinkingForm::Budget);
        assert_eq!(facts("claude-opus-4-1-20250805"), Some((Some(200_000), Some(32_000), budget)));
        assert_eq!(facts("us.anthropic.claude-opus-4-1-20250805-v1:0"), Some((None, Some(32_000), budget)));
        assert_eq!(facts("my-claude-opus-4-6"), None);
        assert_eq!(facts("claude-sonnet-5"), None);
    }

    #[test]
    fn older_claudes_take_budgets_and_all_others_an_effort() {
        for (model, form) in [
            ("claude-3-7-sonnet-latest", ThinkingForm::Budget),
            ("anthropic/claude-3.7-sonnet", ThinkingForm::Budget),
            ("claude-sonnet-4-20250514", ThinkingForm::Budget),
            ("claude-sonnet-4@20250514", ThinkingForm::Budget),
            ("claude-opus-4@20250514", ThinkingForm::Budget),
            ("claude-opus-4-1-20250805", ThinkingForm::Budget),
            ("claude-opus-4-5", ThinkingForm::Budget),
            ("anthropic/claude-sonnet-4.5", ThinkingForm::Budget),
            ("claude-haiku-4-5-20251001", ThinkingForm::Budget),
            ("claude-opus-4-6", ThinkingForm::Effort),
            ("claude-opus-4-7", ThinkingForm::Effort),
            ("claude-sonnet-4-6", ThinkingForm::Effort),
            ("claude-sonnet-5", ThinkingForm::Effort),
            ("claude-fable-1", ThinkingForm::Effort),
        ] {
            let known = find(Some("anthropic"), model).unwrap_or_default();
            assert_eq!(known.thinking_form.unwrap_or_default(), form, "{model}");
        }
    }

    #[test]
    fn all_but_older_gpts_and_those_for_chat_reason() {
        for (model, reasons) in [
            ("gpt-4o-mini", false),
            ("gpt-4.1", false),
            ("gpt-4-0613", false),
            ("gpt-3.5-turbo-16k", false),
            ("chatgpt-4o-latest", false),
            ("gpt-5-chat-latest", false),
            ("gpt-6-chat-latest", false),
            ("deepseek/deepseek-chat-v3.1", true),
            ("o3", true),
            ("gpt-5-mini", true),
            ("gpt-5.4-codex", true),
        ] {
            let known = find(Some("openai"), model).unwrap_or_default();
            assert_eq!(known.can(Capability::Reasoning), reasons, "{model}");
            assert!(known.can(Capability::Tools), "{model}");
        }
    }

    #[test]
    fn entries_are_complete_and_no_name_has_two_for_one_vendor() {
        let mut names: Vec<(&str, &str)> = Vec::new();
        for entry in &ALL.models {
            assert!(entry.profile.window.is_some_and(|window| window > 1_000) && entry.profile.capabilities.is_some());
            for vendor in &entry.vendors {
                assert!(vendors::find(vendor).is_some(), "{vendor}");
            }
            let vendors = || entry.vendors.iter().map(String::as_str).chain(entry.vendors.is_empty().then_some(""));
            names.extend(entry.names.iter().flat_map(|name| vendors().map(|vendor| (name.as_str(), vendor))));
        }
        for family in &ALL.families {
            assert_eq!((family.profile.window, &family.profile.prices), (None, &None), "{:?}", family.names);
            names.extend(family.names.iter().map(|name| (name.as_str(), "a family")));
        }
        for entry in ALL.models.iter().chain(&ALL.families) {
            assert!(!entry.names.is_empty());
            for name in &entry.names {
                assert_eq!(name.to_ascii_lowercase(), *name);
                assert_eq!(bare(name), name, "a name without its maker");
            }
        }
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn a_model_neither_repeats_nor_contradicts_its_family() {
        for entry in &ALL.models {
            for name in &entry.names {
                let Some(family) = best(&ALL.families, None, name.trim_end_matches('*')) else { continue };
                let (own, common) = (&entry.profile, &family.profile);
                let says_twice = [
                    own.max_output.is_some() && common.max_output.is_some(),
                    own.thinking_form.is_some() && common.thinking_form.is_some(),
                    own.max_thinking.is_some() && common.max_thinking.is_some(),
                ];
                assert_eq!(says_twice, [false; 3], "{name}");
                for capability in [Capability::Reasoning, Capability::StructuredOutput] {
                    assert!(common.can(capability) || !own.can(capability), "{name}: {capability:?}");
                }
            }
        }
    }
}
