//! What is known of one model.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use turnkit_core::{ModelName, Prices};

use crate::wire::{MarkupRules, ThinkTags};

/// What is known of a model at a provider. What is absent is unknown.
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
    /// Where in its text reasoning is.
    pub think_tags: Option<ThinkTags>,
    /// Whether its text may hold tool calls.
    pub text_calls: Option<bool>,
}

impl ModelProfile {
    /// What is to be looked for in its text: nothing that is not known to be there.
    pub fn markup(&self) -> MarkupRules {
        MarkupRules { think_tags: self.think_tags.unwrap_or_default(), text_calls: self.text_calls.unwrap_or_default() }
    }

    /// Whether it can do this, as far as is known: a model nobody knows is trusted to.
    pub fn can(&self, capability: Capability) -> bool {
        self.capabilities.is_none_or(|all| all.contains(capability))
    }

    /// With what a configuration says in place of what is known.
    #[must_use]
    pub fn with(self, detail: &ModelDetail) -> Self {
        Self {
            window: detail.window.or(self.window),
            max_output: detail.max_output.or(self.max_output),
            capabilities: detail.capabilities.or(self.capabilities),
            prices: detail.prices.clone().or(self.prices),
            think_tags: detail.think_tags.or(self.think_tags),
            text_calls: detail.text_calls.or(self.text_calls),
        }
    }
}

/// What a configuration says of a model. It wins over what is known.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelDetail {
    /// Which model.
    pub name: ModelName,
    /// How many tokens a request and its answer may have together.
    pub window: Option<u32>,
    /// How many tokens an answer may have.
    pub max_output: Option<u32>,
    /// All that it can do.
    pub capabilities: Option<Capabilities>,
    /// What its tokens cost.
    pub prices: Option<Arc<Prices>>,
    /// Where in its text reasoning is.
    pub think_tags: Option<ThinkTags>,
    /// Whether its text may hold tool calls.
    pub text_calls: Option<bool>,
}

impl ModelDetail {
    /// Nothing yet about the model called `name`.
    pub fn new(name: ModelName) -> Self {
        Self {
            name,
            window: None,
            max_output: None,
            capabilities: None,
            prices: None,
            think_tags: None,
            text_calls: None,
        }
    }
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

impl Capabilities {
    /// Whether `capability` is one of them.
    pub fn contains(self, capability: Capability) -> bool {
        self.0 & bit(capability) != 0
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
