//! Facts about a model that affect its requests and answers.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use turnkit_core::Prices;
use turnkit_core::ports::ModelLimits;

/// Token budget for high thinking. Also the largest budget for a model whose limit is unknown.
pub(crate) const HIGH_BUDGET: u32 = 24_576;

/// The facts about a model at a provider. `None` means unknown.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelProfile {
    /// Maximum number of tokens of a request and its answer together.
    pub window: Option<u32>,
    /// Maximum number of tokens of an answer.
    pub max_output: Option<u32>,
    /// Its capabilities.
    pub capabilities: Option<Capabilities>,
    /// The prices of its tokens.
    pub prices: Option<Arc<Prices>>,
    /// The form of its thinking setting, if its wire has more than one.
    pub thinking_form: Option<ThinkingForm>,
    /// The largest thinking budget that it accepts, in tokens.
    pub max_thinking: Option<u32>,
    /// Whether a request that declares tools can enforce a JSON schema. Unknown counts as yes.
    pub structured_output_with_tools: Option<bool>,
    /// Whether it rejects unsigned tool calls in the history. Unknown counts as yes. Only Gemini signs calls.
    pub needs_signatures: Option<bool>,
    /// Whether it accepts a sampling temperature. Unknown counts as yes.
    pub temperature: Option<bool>,
    /// Whether it accepts stop sequences. Unknown counts as yes.
    pub stop: Option<bool>,
    /// Where its text contains reasoning.
    pub think_tags: Option<ThinkTags>,
    /// Whether its text may contain tool calls.
    pub text_calls: Option<bool>,
}

/// The form in which a request asks a model to think.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThinkingForm {
    /// A word, such as `high`. Newer models take one, so it is the default for unknown models.
    #[default]
    Effort,
    /// A number of tokens.
    Budget,
}

/// An optional capability of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Capability {
    /// Accepts images.
    Vision,
    /// Accepts documents, such as PDF.
    Files,
    /// Calls tools.
    Tools,
    /// Reasons before it answers.
    Reasoning,
    /// Answers in the format of a JSON schema.
    StructuredOutput,
    /// Answers with images.
    ImageOutput,
}

/// A set of capabilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Capabilities(u8);

/// The markup to extract from the text of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MarkupRules {
    /// Where the text contains reasoning.
    pub think_tags: ThinkTags,
    /// Whether to extract tool calls: `<tool_call>`, `<function_call>`, `<function=name>`, `[TOOL_CALLS]` and
    /// `<|python_tag|>`, with the forms that models write after them. Text that only resembles a call stays text. If
    /// the response also contains the call outside its text, it runs once.
    pub text_calls: bool,
}

/// Where a text contains reasoning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThinkTags {
    /// Nowhere.
    #[default]
    Off,
    /// Between `<think>` and `</think>` at the beginning of the text; to the end of the text if the closing tag is
    /// missing. Anywhere else the tag is plain text.
    Paired,
    /// From the beginning of the text to `</think>`, because the opening tag is in the model's prompt.
    Closing,
}

impl ModelProfile {
    /// Returns the markup to extract from its text. Unknown counts as none.
    pub fn markup(&self) -> MarkupRules {
        MarkupRules { think_tags: self.think_tags.unwrap_or_default(), text_calls: self.text_calls.unwrap_or_default() }
    }

    /// Returns the limits of the model, if they are known.
    pub(crate) fn limits(&self) -> Option<ModelLimits> {
        let window = self.window?;
        Some(ModelLimits { window, largest_window: Some(window), max_output: self.max_output })
    }

    /// Reports whether the model has this capability. Unknown capabilities count as present.
    pub fn can(&self, capability: Capability) -> bool {
        self.capabilities.is_none_or(|all| all.contains(capability))
    }

    /// Reports whether a request, with or without tools, can enforce a JSON schema.
    pub(crate) fn takes_schemas(&self, with_tools: bool) -> bool {
        self.can(Capability::StructuredOutput) && (!with_tools || self.structured_output_with_tools.unwrap_or(true))
    }

    /// Fills in every unknown fact from `other`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            window: self.window.or(other.window),
            max_output: self.max_output.or(other.max_output),
            capabilities: self.capabilities.or(other.capabilities),
            prices: self.prices.or(other.prices),
            thinking_form: self.thinking_form.or(other.thinking_form),
            max_thinking: self.max_thinking.or(other.max_thinking),
            structured_output_with_tools: self.structured_output_with_tools.or(other.structured_output_with_tools),
            needs_signatures: self.needs_signatures.or(other.needs_signatures),
            temperature: self.temperature.or(other.temperature),
            stop: self.stop.or(other.stop),
            think_tags: self.think_tags.or(other.think_tags),
            text_calls: self.text_calls.or(other.text_calls),
        }
    }
}

impl Capabilities {
    /// Reports whether `capability` is in the set.
    pub fn contains(self, capability: Capability) -> bool {
        self.0 & bit(capability) != 0
    }

    /// Returns all capabilities except `these`.
    pub(crate) fn all_but(these: Self) -> Self {
        Self(!these.0)
    }
}

impl FromIterator<Capability> for Capabilities {
    fn from_iter<I: IntoIterator<Item = Capability>>(all: I) -> Self {
        Self(all.into_iter().fold(0, |set, capability| set | bit(capability)))
    }
}

fn bit(capability: Capability) -> u8 {
    1 << capability as u8
}

impl MarkupRules {
    /// Reports whether there is any markup to extract.
    pub(crate) fn is_any(self) -> bool {
        self.text_calls || self.think_tags != ThinkTags::Off
    }
}
