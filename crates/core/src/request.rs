//! What a provider is asked.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{History, OutputSchema, Str, ToolDefinition};

/// A model as its provider calls it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ModelName(pub Arc<str>);

/// Which providers may answer, and how urgent it is. The default leaves everything open.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Route {
    /// The one that answers or nobody does, by its id.
    pub provider: Option<Str>,
    /// What each of them must be tagged with.
    pub tags: Vec<Str>,
    /// How urgent it is.
    pub tier: Tier,
}

impl Route {
    /// Whether the provider of this id may answer, if it has the tags.
    pub fn names(&self, provider: &str) -> bool {
        self.provider.as_deref().is_none_or(|named| named == provider)
    }

    /// Whether a provider with these tags has all that it takes.
    pub fn takes(&self, tags: &[Str]) -> bool {
        self.tags.iter().all(|tag| tags.contains(tag))
    }
}

/// How urgent a call is. Each tier leaves room for those above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// It can wait: half of each provider stays free for others.
    Idle,
    /// Somebody waits for it: a fifth stays free.
    #[default]
    Normal,
    /// It takes the last place.
    Critical,
}

/// How much a model should reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Thinking {
    /// As little as the model allows.
    #[default]
    Off,
    /// A little.
    Low,
    /// Some.
    Medium,
    /// A lot.
    High,
    /// As much as the wire can say: on OpenAI's, the same as a lot.
    Max,
}

/// Settings a provider may honour. What is absent is left to the provider.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Params {
    /// Sampling temperature.
    pub temperature: Option<f32>,
    /// The longest answer, in tokens.
    pub max_tokens: Option<u32>,
    /// How much the model should reason; absent: the model's default.
    pub thinking: Option<Thinking>,
    /// The shape of its answer; absent: text.
    pub output_schema: Option<Arc<OutputSchema>>,
    /// Texts that end an answer where the model would write them; at most four of them, none empty.
    pub stop: Vec<Str>,
}

/// Whether the model may call tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolChoice {
    /// The model decides.
    #[default]
    Auto,
    /// It must answer without calls, though it still sees the tools.
    None,
}

/// One model call. Cloning shares history and tools. Everything may be absent in its JSON form.
///
/// ```
/// let request = r#"{"model":"small","history":[{"role":"user","parts":[{"type":"text","text":"hi"}]}]}"#;
/// let request: turnkit_core::ChatRequest = serde_json::from_str(request).unwrap();
/// assert_eq!(request.history.len(), 1);
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChatRequest {
    /// Which model; absent: the provider's default.
    pub model: Option<ModelName>,
    /// Who may answer; absent: whoever there is. No part of the JSON form, which says what is asked.
    #[serde(skip)]
    pub route: Option<Arc<Route>>,
    /// The instructions.
    pub instructions: Option<Arc<str>>,
    /// What was said.
    pub history: History,
    /// What the model may call.
    pub tools: Arc<[ToolDefinition]>,
    /// Settings.
    pub params: Params,
    /// Whether calls are welcome.
    pub tool_choice: ToolChoice,
}
