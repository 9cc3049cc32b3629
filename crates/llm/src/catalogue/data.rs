//! The file of models, as the build has turned it into JSON.

use std::sync::Arc;

use serde::Deserialize;
use turnkit_core::{Price, Prices, Rates};

use super::{Capability, ModelProfile};
use crate::wire::ThinkTags;

/// One entry of the file.
pub(super) struct Entry {
    model: Model,
    /// Prices with when they were noted.
    prices: Option<Arc<Prices>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Model {
    names: Vec<String>,
    window: Option<u32>,
    max_output: Option<u32>,
    can: Vec<Capability>,
    prices: Option<PriceList>,
    long_prices: Option<PriceList>,
    think_tags: Option<ThinkTags>,
    text_calls: Option<bool>,
}

/// Prices of which those that do not differ are left out.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PriceList {
    /// The vendors that charge them.
    #[serde(default)]
    at: Vec<String>,
    /// Which inputs are long, of prices for those.
    #[serde(default)]
    above: u64,
    input: Price,
    cache_read: Option<Price>,
    cache_write: Option<Price>,
    output: Price,
    reasoning: Option<Price>,
}

impl Entry {
    fn new(model: Model, noted: &str) -> Self {
        let prices = model.prices.as_ref().map(|usual| {
            let long = model.long_prices.as_ref().map(|long| (long.above, long.rates()));
            Arc::new(Prices { long, ..Prices::new(noted, usual.rates()) })
        });
        Self { model, prices }
    }

    /// How much of `name` one of its names says, if one does; a whole name says more than any beginning.
    pub(super) fn matches(&self, name: &str) -> Option<usize> {
        let said = |known: &String| match known.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning).then_some(beginning.len()),
            None => (name == known).then_some(usize::MAX),
        };
        self.model.names.iter().filter_map(said).max()
    }

    /// Whether its prices are those of `vendor`.
    pub(super) fn is_charged_at(&self, vendor: &str) -> bool {
        self.vendors().iter().any(|at| at == vendor)
    }

    pub(super) fn profile_at(&self, vendor: Option<&str>) -> ModelProfile {
        ModelProfile {
            window: self.model.window,
            max_output: self.model.max_output,
            capabilities: Some(self.model.can.iter().copied().collect()),
            prices: self.prices.clone().filter(|_| vendor.is_some_and(|vendor| self.is_charged_at(vendor))),
            think_tags: self.model.think_tags,
            text_calls: self.model.text_calls,
        }
    }

    pub(super) fn vendors(&self) -> &[String] {
        self.model.prices.as_ref().map_or(&[], |prices| &prices.at)
    }

    #[cfg(test)]
    pub(super) fn names(&self) -> &[String] {
        &self.model.names
    }

    #[cfg(test)]
    pub(super) fn window(&self) -> Option<u32> {
        self.model.window
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
pub(super) fn read() -> Vec<Entry> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        noted: String,
        model: Vec<Model>,
    }
    let json = include_str!(concat!(env!("OUT_DIR"), "/models.json"));
    let file: File = serde_json::from_str(json).expect("models.toml is valid");
    file.model.into_iter().map(|model| Entry::new(model, &file.noted)).collect()
}
