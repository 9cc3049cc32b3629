//! Facts about a model that its requests and answers depend on.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use turnkit_core::Prices;
use turnkit_core::ports::ModelLimits;

/// The budget of high thinking, in tokens, and the largest one for a model whose limit is unknown.
pub(crate) const HIGH_BUDGET: u32 = 24_576;

/// The facts about a model at a provider. An absent fact is unknown.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelProfile {
    /// How many tokens a request and its answer may have together.
    pub window: Option<u32>,
    /// How many tokens an answer may have.
    pub max_output: Option<u32>,
    /// What it can do.
    pub capabilities: Option<Capabilities>,
    /// What its tokens cost.
    pub prices: Option<Arc<Prices>>,
    /// How a request asks it to think, where its wire has more than one form.
    pub thinking_form: Option<ThinkingForm>,
    /// The largest thinking budget that it accepts, in tokens.
    pub max_thinking: Option<u32>,
    /// Whether a request that declares tools can enforce a JSON schema; unknown: yes.
    pub structured_output_with_tools: Option<bool>,
    /// Whether it rejects tool calls in the history that have no signature; unknown: yes. Only Gemini signs calls.
    pub needs_signatures: Option<bool>,
    /// Whether it takes a sampling temperature; unknown: yes.
    pub temperature: Option<bool>,
    /// Whether it takes stop sequences; unknown: yes.
    pub stop: Option<bool>,
    /// Where in its text reasoning is.
    pub think_tags: Option<ThinkTags>,
    /// Whether its text may hold tool calls.
    pub text_calls: Option<bool>,
}

/// How a request asks a model to think.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThinkingForm {
    /// By a word, such as `high`: newer models take one, so an unknown model does.
    #[default]
    Effort,
    /// By a number of tokens.
    Budget,
}

/// Something a model may be able to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Capability {
    /// Looks at pictures.
    Vision,
    /// Reads documents, such as PDF.
    Files,
    /// Calls tools.
    Tools,
    /// Reasons before it answers.
    Reasoning,
    /// Answers in the shape of a JSON schema.
    StructuredOutput,
    /// Answers with pictures.
    ImageOutput,
}

/// A set of capabilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Capabilities(u8);

/// What is looked for in the text of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MarkupRules {
    /// Where reasoning is.
    pub think_tags: ThinkTags,
    /// Whether calls are looked for: `<tool_call>`, `<function_call>`, `<function=name>`, `[TOOL_CALLS]` and
    /// `<|python_tag|>`, with what models write after them. What only looks like a call stays text. A call that the
    /// response repeats outside its text runs once.
    pub text_calls: bool,
}

/// Where in a text reasoning is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThinkTags {
    /// Nowhere.
    #[default]
    Off,
    /// Between `<think>` and `</think>`, at its beginning; to its end if that is missing. Anywhere else the tag is text.
    Paired,
    /// From its beginning to `</think>`, because the opening tag is in the model's prompt.
    Closing,
}

impl ModelProfile {
    /// Returns the markup to look for in its text: only markup that is known to occur.
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

    /// Takes every fact that is absent here from `other`.
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

    /// Returns every capability but `these`.
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
    /// Reports whether there is anything to look for.
    pub(crate) fn is_any(self) -> bool {
        self.text_calls || self.think_tags != ThinkTags::Off
    }
}
