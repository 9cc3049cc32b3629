//! Prompts that sessions can select.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;
use turnkit_engine::Prompt;

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PromptConfig {
    /// The name by which sessions select the prompt.
    pub(crate) name: String,
    /// The text. It follows the instructions of the agent, unless both are the same. It may be a template, like
    /// `instructions` of an agent.
    pub(crate) text: Option<String>,
    /// A text file with the prompt, instead of `text`.
    pub(crate) file: Option<PathBuf>,
    /// The parsed `text` or content of `file`.
    #[serde(skip)]
    pub(crate) prompt: Option<Prompt>,
}
