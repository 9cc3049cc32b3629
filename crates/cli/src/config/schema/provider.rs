//! Who answers.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turnkit_llm::Wire;

use super::router::ProviderRateConfig;
use super::value::{positive, some_positive};
use super::{ModelConfig, ThinkTagsConfig};

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProviderConfig {
    /// What it is called here.
    pub(crate) id: String,
    /// What it speaks. Absent: what its vendor usually speaks.
    pub(crate) api: Option<Api>,
    /// Who it is, such as `openrouter`: gives its address and what its requests say differently. docs/providers.md lists
    /// the names. Absent: whoever is known at its address.
    pub(crate) vendor: Option<String>,
    /// Its address, such as `http://localhost:11434/v1`. Absent: the vendor's.
    pub(crate) base_url: Option<String>,
    /// Values of placeholders in the vendor's address, such as `resource` of Azure.
    #[serde(default)]
    pub(crate) settings: BTreeMap<String, String>,
    /// Its key, where one is needed; best from the environment, as in `${OPENAI_API_KEY}`.
    pub(crate) api_key: Option<Secret>,
    /// The file of a Google service account, for `vertex`. Absent: what the machine has, as `gcloud auth
    /// application-default login` leaves it or a machine in the cloud knows it.
    pub(crate) credentials: Option<PathBuf>,
    /// More headers of every request. They win over all others.
    #[serde(default)]
    pub(crate) headers: BTreeMap<String, Secret>,
    /// More fields of every request's body.
    #[serde(default)]
    pub(crate) body: serde_json::Map<String, serde_json::Value>,
    /// Whether the model may search the web, where the vendor has a way to ask for that.
    #[serde(default)]
    pub(crate) web_search: bool,
    /// Where in the text of its answers reasoning is, which is then shown as that: `off`, `paired` (between `<think>` and
    /// `</think>` at the beginning), `closing` (up to `</think>`, where the opening tag is in the prompt). Absent: what is
    /// known of the model and the vendor.
    pub(crate) think_tags: Option<ThinkTagsConfig>,
    /// Whether tool calls that a model writes into its text, such as `<tool_call>{…}</tool_call>`, are calls. Absent: what
    /// is known of the model and the vendor.
    pub(crate) text_calls: Option<bool>,
    /// What the schemas of tools say: `as_declared`, or with `strict_required` that every property is required, for
    /// servers that leave out what is not.
    #[serde(default)]
    pub(crate) schema: SchemaConfig,
    /// The models it serves. The first is the default.
    #[serde(default)]
    pub(crate) models: Vec<String>,
    /// What is to be known of some of them, in place of what crates/llm/models.toml says.
    #[serde(default)]
    pub(crate) models_detail: Vec<ModelConfig>,
    /// What the `route` of an agent may require.
    #[serde(default)]
    pub(crate) tags: Vec<String>,
    /// How many answers it may be giving at once; more wait. A fifth of them is kept for routes of `tier = "critical"`.
    /// Absent: as many as are asked for.
    #[serde(default, deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) max_concurrency: Option<usize>,
    /// How often it may be asked; more wait, in order. Absent: as often as there is something to ask.
    pub(crate) rate_limit: Option<ProviderRateConfig>,
    /// How long it may take.
    #[serde(default)]
    pub(crate) timeouts: TimeoutsConfig,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Api {
    /// OpenAI Chat Completions, which OpenAI, Ollama, vLLM, llama.cpp, OpenRouter and others speak.
    OpenaiChat,
    /// OpenAI Responses.
    OpenaiResponses,
    /// Anthropic Messages.
    Anthropic,
    /// Google generateContent.
    Gemini,
    /// The built-in responder that needs no model and no network.
    Offline,
}

impl Api {
    /// The wire; none where nothing is spoken.
    pub(crate) fn wire(self) -> Option<Wire> {
        match self {
            Self::OpenaiChat => Some(Wire::OpenaiChat),
            Self::OpenaiResponses => Some(Wire::OpenaiResponses),
            Self::Anthropic => Some(Wire::Anthropic),
            Self::Gemini => Some(Wire::Gemini),
            Self::Offline => None,
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SchemaConfig {
    /// What their tools declare.
    #[default]
    AsDeclared,
    /// Every property is required.
    StrictRequired,
}

/// A value that is never shown.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct Secret(pub(crate) String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

#[derive(Debug, Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TimeoutsConfig {
    /// Opening the connection, in milliseconds.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) connect_ms: u64,
    /// From asking to the first sign of an answer.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) first_event_ms: u64,
    /// Between two signs of life.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) idle_ms: u64,
    /// The whole answer.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) total_ms: u64,
}

impl Default for TimeoutsConfig {
    fn default() -> Self {
        Self { connect_ms: 5_000, first_event_ms: 30_000, idle_ms: 60_000, total_ms: 600_000 }
    }
}
