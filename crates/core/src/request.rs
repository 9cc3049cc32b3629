//! Requests to model providers.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{History, OutputSchema, Str, ToolDefinition};

/// The name of a model, as its provider defines it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ModelName(pub Arc<str>);

/// Which providers may answer, and the priority of the call. The default allows any provider.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Route {
    /// The id of the only provider that may answer; absent: any provider.
    pub provider: Option<Str>,
    /// The tags that a provider must have.
    pub tags: Vec<Str>,
    /// The priority of the call.
    pub tier: Tier,
}

impl Route {
    /// Returns `true` if the provider with this id may answer, provided that it has the required tags.
    pub fn names(&self, provider: &str) -> bool {
        self.provider.as_deref().is_none_or(|named| named == provider)
    }

    /// Returns `true` if a provider with these tags has all required ones.
    pub fn matches_tags(&self, tags: &[Str]) -> bool {
        self.tags.iter().all(|tag| tags.contains(tag))
    }
}

/// The priority of a call. Each tier leaves capacity free for the tiers above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// The call can wait: half of each provider's capacity stays free for other calls.
    Idle,
    /// A user or program waits for the answer: a fifth of the capacity stays free.
    #[default]
    Normal,
    /// The call may use all capacity.
    Critical,
}

/// How much a model should reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Thinking {
    /// The least reasoning that the model allows.
    #[default]
    Off,
    /// A small amount of reasoning.
    Low,
    /// A moderate amount of reasoning.
    Medium,
    /// A large amount of reasoning.
    High,
    /// The highest level of the wire. On OpenAI's wire, it equals `High`.
    Max,
}

/// Settings that a provider may honour. Absent settings are left to the provider.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Params {
    /// Sampling temperature.
    pub temperature: Option<f32>,
    /// The longest answer, in tokens.
    pub max_tokens: Option<u32>,
    /// The amount of reasoning; absent: the model's default.
    pub thinking: Option<Thinking>,
    /// The schema of the answer; absent: the answer is text.
    pub output_schema: Option<Arc<OutputSchema>>,
    /// Stop sequences: texts at which the answer ends. At most four, none empty.
    pub stop: Vec<Str>,
}

/// Whether the model may call tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolChoice {
    /// The model decides whether to call tools.
    #[default]
    Auto,
    /// The model must answer without calls, though it still sees the tools.
    None,
}

/// One model call. Cloning shares history and tools. All fields are optional in its JSON form.
///
/// ```
/// let request = r#"{"model":"small","history":[{"role":"user","parts":[{"type":"text","text":"hi"}]}]}"#;
/// let request: turnkit_core::ChatRequest = serde_json::from_str(request).unwrap();
/// assert_eq!(request.history.len(), 1);
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChatRequest {
    /// The model to call; absent: the provider's default.
    pub model: Option<ModelName>,
    /// Which providers may answer; absent: any. It is not part of the JSON form, which describes only the request's
    /// content.
    #[serde(skip)]
    pub route: Option<Arc<Route>>,
    /// The instructions.
    pub instructions: Option<Arc<str>>,
    /// The messages.
    pub history: History,
    /// The tools that the model may call.
    pub tools: Arc<[ToolDefinition]>,
    /// The settings of the call.
    pub params: Params,
    /// Whether the model may call tools.
    pub tool_choice: ToolChoice,
}
