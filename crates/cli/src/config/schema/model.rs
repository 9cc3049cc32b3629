//! What is to be known of a model.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turnkit_core::Price;

use super::ThinkTagsConfig;
use super::value::some_positive;

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelConfig {
    /// The model, as its provider calls it.
    pub(crate) name: String,
    /// How many tokens a request and its answer may have together.
    #[serde(default, deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) window: Option<u32>,
    /// How many tokens an answer may have.
    #[serde(default, deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) max_output: Option<u32>,
    /// All that it can do.
    pub(crate) capabilities: Option<Vec<CapabilityConfig>>,
    /// What it costs. Absent: what is known of it where it is charged, else nobody knows.
    pub(crate) prices: Option<PricesConfig>,
    /// What it costs where the input is long, if that differs.
    pub(crate) long_prices: Option<PricesConfig>,
    /// How it is asked to think over the `anthropic` and `gemini` wires. Absent: the catalogue's value, else `effort`.
    pub(crate) thinking_form: Option<ThinkingFormConfig>,
    /// The largest budget of thinking that it takes, in tokens. Absent: the catalogue's value, else the model's output limit
    /// over `anthropic` and 24,576 over `gemini`.
    #[serde(default, deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) max_thinking: Option<u32>,
    /// Whether it can be held to a JSON schema while it has tools, over the `anthropic` and `gemini` wires; else the schema
    /// is part of the instructions. Absent: the catalogue's value, else yes.
    pub(crate) structured_output_with_tools: Option<bool>,
    /// Whether it rejects tool calls in the history that have no signature, over the `gemini` wire; calls of other models
    /// then carry a stand-in. Absent: the catalogue's value, else yes.
    pub(crate) needs_signatures: Option<bool>,
    /// Whether it takes a sampling temperature; if not, that is left out of its requests, with a notice. Absent: the
    /// catalogue's value, else yes.
    pub(crate) temperature: Option<bool>,
    /// Whether it takes stop sequences; if not, they are left out of its requests, with a notice. Absent: the catalogue's
    /// value, else yes.
    pub(crate) stop: Option<bool>,
    /// Where in its text reasoning is, as for the whole provider.
    pub(crate) think_tags: Option<ThinkTagsConfig>,
    /// Whether calls in its text are calls, as for the whole provider.
    pub(crate) text_calls: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ThinkingFormConfig {
    /// By a word, such as `high`.
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
    /// Answer in the shape of a JSON schema.
    StructuredOutput,
    /// Answer with pictures.
    ImageOutput,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PricesConfig {
    /// Input that no cache held, in US dollars for a million tokens.
    #[schemars(with = "f64", range(min = 0, max = 1_000_000))]
    pub(crate) input: Price,
    /// Input read from the provider's cache. Absent: as `input`.
    #[schemars(with = "Option<f64>", range(min = 0, max = 1_000_000))]
    pub(crate) cache_read: Option<Price>,
    /// Input written to the provider's cache. Absent: as `input`.
    #[schemars(with = "Option<f64>", range(min = 0, max = 1_000_000))]
    pub(crate) cache_write: Option<Price>,
    /// Output, in US dollars for a million tokens.
    #[schemars(with = "f64", range(min = 0, max = 1_000_000))]
    pub(crate) output: Price,
    /// Output that is reasoning. Absent: as `output`.
    #[schemars(with = "Option<f64>", range(min = 0, max = 1_000_000))]
    pub(crate) reasoning: Option<Price>,
    /// Of `long_prices`: input of more tokens than this is long.
    pub(crate) above: Option<u64>,
    /// A word for these prices, such as the month they were noted in; kept with what they priced. Absent: `configured`.
    pub(crate) version: Option<String>,
}
