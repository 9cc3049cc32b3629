//! Prompts that sessions can select.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;
use turnkit_engine::Prompt;

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PromptConfig {
    /// What it is called. A session selects it by this name.
    pub(crate) name: String,
    /// What the model reads behind the instructions of the agent. Instructions that are the same are not repeated. It
    /// may have values of the turn in it, as `instructions` of an agent.
    pub(crate) text: Option<String>,
    /// A text file with the prompt, instead of `text`.
    pub(crate) file: Option<PathBuf>,
    /// What either of them says.
    #[serde(skip)]
    pub(crate) prompt: Option<Prompt>,
}
