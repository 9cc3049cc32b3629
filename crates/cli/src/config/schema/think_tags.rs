//! The location of reasoning in the text of answers.

use schemars::JsonSchema;
use serde::Deserialize;
use turnkit_llm::profile::ThinkTags;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
#[value(rename_all = "snake_case")]
pub(crate) enum ThinkTagsConfig {
    /// Nowhere.
    #[default]
    Off,
    /// Between `<think>` and `</think>` at the beginning.
    Paired,
    /// From the beginning to `</think>`.
    Closing,
}

impl From<ThinkTagsConfig> for ThinkTags {
    fn from(config: ThinkTagsConfig) -> Self {
        match config {
            ThinkTagsConfig::Off => Self::Off,
            ThinkTagsConfig::Paired => Self::Paired,
            ThinkTagsConfig::Closing => Self::Closing,
        }
    }
}
