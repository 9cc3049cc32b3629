//! The section `[[providers]]`.

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
    /// The id of the provider in this configuration.
    pub(crate) id: String,
    /// The protocol of the provider. Default: the usual protocol of its vendor.
    pub(crate) api: Option<Api>,
    /// The vendor, such as `openrouter`, which determines the address and the vendor-specific parts of requests.
    /// docs/providers.md lists the names. Default: the vendor whose address it is, if known.
    pub(crate) vendor: Option<String>,
    /// The address of the provider, such as `http://localhost:11434/v1`. Default: the vendor's address.
    pub(crate) base_url: Option<String>,
    /// Values of placeholders in the vendor's address, such as `resource` of Azure.
    #[serde(default)]
    pub(crate) settings: BTreeMap<String, String>,
    /// The API key, if the provider needs one, preferably from the environment, as in `${OPENAI_API_KEY}`.
    pub(crate) api_key: Option<Secret>,
    /// The file of a Google service account, for `vertex`. Default: the credentials of the machine, from
    /// `gcloud auth application-default login` or from the cloud that runs the machine.
    pub(crate) credentials: Option<PathBuf>,
    /// Additional headers of every request. They override all other headers.
    #[serde(default)]
    pub(crate) headers: BTreeMap<String, Secret>,
    /// Additional fields in the body of every request.
    #[serde(default)]
    pub(crate) body: serde_json::Map<String, serde_json::Value>,
    /// Whether the model may search the web, if the vendor supports it.
    #[serde(default)]
    pub(crate) web_search: bool,
    /// The location of reasoning in the text of answers, so that it is shown as reasoning: `off`, `paired` (between
    /// `<think>` and `</think>` at the beginning), `closing` (up to `</think>`, if the opening tag is in the prompt).
    /// Default: the known value of the model and the vendor.
    pub(crate) think_tags: Option<ThinkTagsConfig>,
    /// Whether tool calls that a model writes into its text, such as `<tool_call>{…}</tool_call>`, count as calls.
    /// Default: the known value of the model and the vendor.
    pub(crate) text_calls: Option<bool>,
    /// The form of tool schemas: `as_declared`, or `strict_required`, which marks every property as required, for
    /// servers that leave out optional properties.
    #[serde(default)]
    pub(crate) schema: SchemaConfig,
    /// The models that the provider serves. The first is the default.
    #[serde(default)]
    pub(crate) models: Vec<String>,
    /// Properties of some of its models, instead of those in crates/llm/models.toml.
    #[serde(default)]
    pub(crate) models_detail: Vec<ModelConfig>,
    /// Tags that the `route` of an agent may require.
    #[serde(default)]
    pub(crate) tags: Vec<String>,
    /// The largest number of concurrent answers. Further requests wait. A fifth of them is reserved for routes with
    /// `tier = "critical"`. Default: no limit.
    #[serde(default, deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) max_concurrency: Option<usize>,
    /// The rate limit of requests. Further requests wait, in order. Default: no limit.
    pub(crate) rate_limit: Option<ProviderRateConfig>,
    /// The timeouts of requests.
    #[serde(default)]
    pub(crate) timeouts: TimeoutsConfig,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Api {
    /// OpenAI Chat Completions, the protocol of OpenAI, Ollama, vLLM, llama.cpp, OpenRouter and others.
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
    /// Returns the wire, or `None` for the offline responder.
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
    /// The schemas that the tools declare.
    #[default]
    AsDeclared,
    /// Schemas in which every property is required.
    StrictRequired,
}

/// A value that is never shown.
#[derive(Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
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
    /// The time to open the connection, in milliseconds.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) connect_ms: u64,
    /// The time from the request to the first data of the answer.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) first_event_ms: u64,
    /// The time between two pieces of data; comments of the stream count.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) idle_ms: u64,
    /// The time of the whole answer.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) total_ms: u64,
}

impl Default for TimeoutsConfig {
    fn default() -> Self {
        Self { connect_ms: 5_000, first_event_ms: 30_000, idle_ms: 60_000, total_ms: 600_000 }
    }
}
