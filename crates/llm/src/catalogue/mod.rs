//! What is known of models: data, from `models.toml`.
//!
//! | key | meaning |
//! |---|---|
//! | `names` | what vendors call it, in lower case; a `*` at the end stands for any rest |
//! | `window` | how many tokens a request and its answer may have together |
//! | `max_output` | how many an answer may have |
//! | `can` | its [capabilities](Capability) |
//! | `prices` | dollars for a million tokens: `input`, `output`, and where they differ `cache_read` and `cache_write` (else `input`) and `reasoning` (else `output`), charged by the vendors `at` which they were noted |
//! | `long_prices` | the same where the input is longer than `above` tokens |
//! | `think_tags`, `text_calls` | what its servers leave in its text, where they differ from what their vendors usually do |
//!
//! A name is looked up without what stands before its last `/` and from an `@` on, which is how vendors that serve models of
//! others write whose they are and which version.
//!
//! ```
//! use turnkit_llm::catalogue::{self, Capability};
//!
//! let known = catalogue::find(Some("openai"), "gpt-5-mini-2025-08-07").unwrap();
//! assert_eq!(known.window, Some(400_000));
//! assert!(known.can(Capability::Vision) && known.prices.is_some());
//! // The same model at somebody who may charge something else:
//! assert!(catalogue::find(Some("openrouter"), "openai/gpt-5-mini").unwrap().prices.is_none());
//! assert!(catalogue::find(Some("openai"), "gpt-9").is_none());
//! ```

mod data;
mod profile;

use std::sync::LazyLock;

use data::Entry;
pub use profile::{Capabilities, Capability, ModelDetail, ModelProfile};

static ALL: LazyLock<Vec<Entry>> = LazyLock::new(data::read);

/// What is known of the model that `vendor` calls `name`. Its prices are known only where they are charged.
pub fn find(vendor: Option<&str>, name: &str) -> Option<ModelProfile> {
    let name = bare(name).to_ascii_lowercase();
    let best = ALL.iter().filter_map(|entry| Some((entry.matches(&name)?, entry)));
    let (_, entry) =
        best.max_by_key(|(matched, entry)| (*matched, vendor.is_some_and(|at| entry.is_charged_at(at))))?;
    Some(entry.profile_at(vendor))
}

/// The model's own name, without whose it is and which version of it.
fn bare(name: &str) -> &str {
    let own = name.rsplit('/').next().unwrap_or(name);
    own.split('@').next().unwrap_or(own)
}

#[cfg(test)]
mod tests {
    use turnkit_core::Usage;

    use super::*;
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
    fn what_a_vendor_answers_with_by_itself_is_known() {
        for vendor in vendors::all() {
            let Some(model) = vendor.model.as_deref().filter(|model| *model != "openrouter/auto") else { continue };
            assert!(find(Some(&vendor.name), model).is_some(), "{} of {}", model, vendor.name);
        }
    }

    #[test]
    fn entries_are_complete_and_no_name_has_two_for_one_vendor() {
        let mut names: Vec<(&str, &str)> = Vec::new();
        for entry in ALL.iter() {
            assert!(!entry.names().is_empty() && entry.window().is_some_and(|window| window > 1_000));
            for vendor in entry.vendors() {
                assert!(vendors::find(vendor).is_some(), "{vendor}");
            }
            for name in entry.names() {
                assert_eq!(name.to_ascii_lowercase(), *name);
                assert_eq!(bare(name), name, "a name without whose it is");
                let vendors = entry.vendors().iter().map(String::as_str);
                names.extend(
                    vendors.chain(entry.vendors().is_empty().then_some("")).map(|vendor| (name.as_str(), vendor)),
                );
            }
        }
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
