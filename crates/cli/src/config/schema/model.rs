//! The section `[[providers.models_detail]]`: properties of a model.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turnkit_core::Price;

use super::ThinkTagsConfig;
use super::value::some_positive;

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelConfig {
    /// The name of the model at its provider.
    pub(crate) name: String,
    /// The context window: the largest number of tokens of a request and its answer together.
    #[serde(default, deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) window: Option<u32>,
    /// The largest number of tokens of an answer.
    #[serde(default, deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) max_output: Option<u32>,
    /// All capabilities of the model.
    pub(crate) capabilities: Option<Vec<CapabilityConfig>>,
    /// The prices of the model. Default: its known prices at the provider that charges for it, else unknown.
    pub(crate) prices: Option<PricesConfig>,
    /// The prices for long inputs, if they differ.
    pub(crate) long_prices: Option<PricesConfig>,
    /// How the model is asked to reason over the `anthropic` and `gemini` wires. Default: the catalogue's value, else
    /// `effort`.
    pub(crate) thinking_form: Option<ThinkingFormConfig>,
    /// The largest reasoning budget that the model accepts, in tokens. Default: the catalogue's value, else the model's
    /// output limit over `anthropic` and 24,576 over `gemini`.
    #[serde(default, deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) max_thinking: Option<u32>,
    /// Whether the model accepts a JSON schema for its answer while it has tools, over the `anthropic` and `gemini`
    /// wires. If not, the schema is part of the instructions. Default: the catalogue's value, else yes.
    pub(crate) structured_output_with_tools: Option<bool>,
    /// Whether the model rejects tool calls in the history that have no signature, over the `gemini` wire. If so, calls
    /// of other models carry a placeholder. Default: the catalogue's value, else yes.
    pub(crate) needs_signatures: Option<bool>,
    /// Whether the model accepts a sampling temperature. If not, it is left out of requests, with a notice. Default:
    /// the catalogue's value, else yes.
    pub(crate) temperature: Option<bool>,
    /// Whether the model accepts stop sequences. If not, they are left out of requests, with a notice. Default: the
    /// catalogue's value, else yes.
    pub(crate) stop: Option<bool>,
    /// The location of reasoning in the model's text, as for the whole provider.
    pub(crate) think_tags: Option<ThinkTagsConfig>,
    /// Whether tool calls in the model's text count as calls, as for the whole provider.
    pub(crate) text_calls: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ThinkingFormConfig {
    /// By an effort, such as `high`.
    Effort,
    /// By a number of tokens.
    Budget,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CapabilityConfig {
    /// Look at pictures.
    Vision,
    /// Read documents, such as PDF.
    Files,
    /// Call tools.
    Tools,
    /// Reason before it answers.
    Reasoning,
    /// Answer according to a JSON schema.
    StructuredOutput,
    /// Answer with pictures.
    ImageOutput,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PricesConfig {
    /// Input that no cache held, in US dollars per million tokens.
    #[schemars(with = "f64", range(min = 0, max = 1_000_000))]
    pub(crate) input: Price,
    /// Input read from the provider's cache. Default: the price of `input`.
    #[schemars(with = "Option<f64>", range(min = 0, max = 1_000_000))]
    pub(crate) cache_read: Option<Price>,
    /// Input written to the provider's cache. Default: the price of `input`.
    #[schemars(with = "Option<f64>", range(min = 0, max = 1_000_000))]
    pub(crate) cache_write: Option<Price>,
    /// Output, in US dollars per million tokens.
    #[schemars(with = "f64", range(min = 0, max = 1_000_000))]
    pub(crate) output: Price,
    /// Output that is reasoning. Default: the price of `output`.
    #[schemars(with = "Option<f64>", range(min = 0, max = 1_000_000))]
    pub(crate) reasoning: Option<Price>,
    /// In `long_prices`: the number of input tokens above which an input is long.
    pub(crate) above: Option<u64>,
    /// A name for these prices, such as the month when they were noted. It is stored with each cost. Default:
    /// `configured`.
    pub(crate) version: Option<String>,
}
