//! The file of models, which the build converts to JSON.

use std::sync::Arc;

use serde::Deserialize;
use turnkit_core::{Price, Prices, Rates};

use crate::profile::{Capabilities, Capability, ModelProfile, ThinkTags, ThinkingForm};

/// The content of the file.
pub(super) struct Catalogue {
    pub(super) models: Vec<Entry>,
    /// Facts shared by models with similar names.
    pub(super) families: Vec<Entry>,
}

/// One entry of the file.
pub(super) struct Entry {
    pub(super) names: Vec<String>,
    /// The vendors that charge its prices.
    pub(super) vendors: Vec<String>,
    pub(super) profile: ModelProfile,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Facts {
    names: Vec<String>,
    window: Option<u32>,
    max_output: Option<u32>,
    can: Option<Vec<Capability>>,
    cannot: Option<Vec<Capability>>,
    prices: Option<PriceList>,
    long_prices: Option<PriceList>,
    thinking_form: Option<ThinkingForm>,
    max_thinking: Option<u32>,
    structured_output_with_tools: Option<bool>,
    needs_signatures: Option<bool>,
    temperature: Option<bool>,
    stop: Option<bool>,
    think_tags: Option<ThinkTags>,
    text_calls: Option<bool>,
}

/// Prices, where only differences from the defaults are stored.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PriceList {
    /// The vendors that charge these prices.
    #[serde(default)]
    at: Vec<String>,
    /// The number of input tokens above which long prices apply.
    #[serde(default)]
    above: u64,
    input: Price,
    cache_read: Option<Price>,
    cache_write: Option<Price>,
    output: Price,
    reasoning: Option<Price>,
}

impl Entry {
    fn new(facts: Facts, noted: &str) -> Self {
        let prices = facts.prices.as_ref().map(|usual| {
            let long = facts.long_prices.as_ref().map(|long| (long.above, long.rates()));
            Arc::new(Prices { long, ..Prices::new(noted, usual.rates()) })
        });
        let set = |capabilities: Vec<Capability>| capabilities.into_iter().collect::<Capabilities>();
        let profile = ModelProfile {
            window: facts.window,
            max_output: facts.max_output,
            capabilities: facts.can.map(set).or(facts.cannot.map(set).map(Capabilities::all_but)),
            prices,
            thinking_form: facts.thinking_form,
            max_thinking: facts.max_thinking,
            structured_output_with_tools: facts.structured_output_with_tools,
            needs_signatures: facts.needs_signatures,
            temperature: facts.temperature,
            stop: facts.stop,
            think_tags: facts.think_tags,
            text_calls: facts.text_calls,
        };
        Self { names: facts.names, vendors: facts.prices.map(|prices| prices.at).unwrap_or_default(), profile }
    }

    /// Returns the length of the longest pattern that matches `name`, if one does. An exact match counts as the longest.
    pub(super) fn matches(&self, name: &str) -> Option<usize> {
        self.names.iter().filter_map(|pattern| matched_length(pattern, name)).max()
    }

    /// Reports whether `vendor` charges the prices of this entry.
    pub(super) fn is_charged_at(&self, vendor: &str) -> bool {
        self.vendors.iter().any(|at| at == vendor)
    }

    /// Returns the facts at `vendor`, with prices only if the vendor charges them.
    pub(super) fn profile_at(&self, vendor: Option<&str>) -> ModelProfile {
        let prices = self.profile.prices.clone().filter(|_| vendor.is_some_and(|vendor| self.is_charged_at(vendor)));
        ModelProfile { prices, ..self.profile.clone() }
    }
}

/// Returns the length of the pattern without its `*`, if it matches `name`. A `*` at its beginning or end matches any text.
fn matched_length(pattern: &str, name: &str) -> Option<usize> {
    let beginning = pattern.strip_suffix('*');
    let said = beginning.unwrap_or(pattern);
    match (said.strip_prefix('*'), beginning.is_some()) {
        (None, false) => (name == said).then_some(usize::MAX),
        (None, true) => name.starts_with(said).then_some(said.len()),
        (Some(end), false) => name.ends_with(end).then_some(end.len()),
        (Some(piece), true) => name.contains(piece).then_some(piece.len()),
    }
}

impl PriceList {
    fn rates(&self) -> Rates {
        let usual = Rates::new(self.input, self.output);
        Rates {
            cache_read: self.cache_read.unwrap_or(usual.cache_read),
            cache_write: self.cache_write.unwrap_or(usual.cache_write),
            reasoning: self.reasoning.unwrap_or(usual.reasoning),
            ..usual
        }
    }
}

#[expect(clippy::expect_used, reason = "the file is part of the program, and a test reads it")]
pub(super) fn read() -> Catalogue {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        noted: String,
        model: Vec<Facts>,
        family: Vec<Facts>,
    }
    let json = include_str!(concat!(env!("OUT_DIR"), "/models.json"));
    let file: File = serde_json::from_str(json).expect("models.toml is valid");
    let entries = |all: Vec<Facts>| all.into_iter().map(|facts| Entry::new(facts, &file.noted)).collect();
    Catalogue { models: entries(file.model), families: entries(file.family) }
}
