//! Every key there is, with its default.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use serde::de::{Error as _, Unexpected};
use serde::{Deserialize, Deserializer};
use turnkit_core::Thinking;
use turnkit_engine::machine::OnLimit;
use turnkit_engine::permission::Rule;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Config {
    pub(crate) server: ServerConfig,
    pub(crate) store: StoreConfig,
    pub(crate) limits: LimitsConfig,
    pub(crate) worker: WorkerConfig,
    pub(crate) providers: Vec<ProviderConfig>,
    pub(crate) agents: Vec<AgentConfig>,
    pub(crate) permissions: PermissionsConfig,
    pub(crate) tools: ToolsConfig,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ServerConfig {
    /// How long turns may finish when the process ends.
    pub(crate) drain_s: u64,
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self { drain_s: 10 }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct StoreConfig {
    pub(crate) url: String,
}

impl Default for StoreConfig {
    fn default() -> Self {
        Self { url: "sqlite:data/turnkit.db".to_owned() }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LimitsConfig {
    #[serde(deserialize_with = "positive")]
    pub(crate) turn_deadline_s: u64,
    pub(crate) max_tool_calls: u32,
}

impl Default for LimitsConfig {
    fn default() -> Self {
        Self { turn_deadline_s: 900, max_tool_calls: 100 }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct WorkerConfig {
    #[serde(deserialize_with = "positive")]
    pub(crate) slots: usize,
}

impl Default for WorkerConfig {
    fn default() -> Self {
        Self { slots: 20_000 }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProviderConfig {
    pub(crate) id: String,
    pub(crate) api: Api,
    pub(crate) base_url: Option<String>,
    pub(crate) api_key: Option<Secret>,
    #[serde(default)]
    pub(crate) models: Vec<String>,
    #[serde(default)]
    pub(crate) timeouts: TimeoutsConfig,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Api {
    OpenaiChat,
    Offline,
}

/// A value that is never shown.
#[derive(Clone, Deserialize)]
#[serde(transparent)]
pub(crate) struct Secret(pub(crate) String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TimeoutsConfig {
    #[serde(deserialize_with = "positive")]
    pub(crate) connect_ms: u64,
    #[serde(deserialize_with = "positive")]
    pub(crate) first_event_ms: u64,
    #[serde(deserialize_with = "positive")]
    pub(crate) idle_ms: u64,
    #[serde(deserialize_with = "positive")]
    pub(crate) total_ms: u64,
}

impl Default for TimeoutsConfig {
    fn default() -> Self {
        Self { connect_ms: 5_000, first_event_ms: 30_000, idle_ms: 60_000, total_ms: 600_000 }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AgentConfig {
    pub(crate) name: String,
    pub(crate) instructions: Option<String>,
    pub(crate) instructions_file: Option<PathBuf>,
    #[serde(default)]
    pub(crate) route: RouteConfig,
    #[serde(default = "all_tools")]
    pub(crate) tools: Vec<String>,
    #[serde(default, deserialize_with = "some_positive")]
    pub(crate) max_rounds: Option<u16>,
    #[serde(default)]
    pub(crate) on_limit: OnLimit,
    pub(crate) thinking: Option<Thinking>,
    #[serde(default)]
    pub(crate) on_busy: OnBusy,
}

fn all_tools() -> Vec<String> {
    vec!["*".to_owned()]
}

impl Default for AgentConfig {
    fn default() -> Self {
        Self {
            name: "assistant".to_owned(),
            instructions: Some("You are a helpful assistant.".to_owned()),
            instructions_file: None,
            route: RouteConfig::default(),
            tools: all_tools(),
            max_rounds: None,
            on_limit: OnLimit::default(),
            thinking: None,
            on_busy: OnBusy::default(),
        }
    }
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct RouteConfig {
    pub(crate) model: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OnBusy {
    #[default]
    Enqueue,
    Reject,
    Interrupt,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct PermissionsConfig {
    pub(crate) rules: Vec<Rule>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ToolsConfig {
    #[serde(deserialize_with = "positive")]
    pub(crate) concurrency: usize,
    #[serde(deserialize_with = "positive")]
    pub(crate) timeout_s: u64,
    #[serde(deserialize_with = "positive")]
    pub(crate) result_max_chars: usize,
}

impl Default for ToolsConfig {
    fn default() -> Self {
        Self { concurrency: 4, timeout_s: 30, result_max_chars: 20_000 }
    }
}

/// Names and values of environment variables.
pub(crate) type Environment = BTreeMap<String, String>;

/// A number for which zero has no meaning.
fn positive<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default + PartialEq>(from: D) -> Result<T, D::Error> {
    let number = T::deserialize(from)?;
    if number == T::default() {
        return Err(D::Error::invalid_value(Unexpected::Unsigned(0), &"at least 1"));
    }
    Ok(number)
}

fn some_positive<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u16>, D::Error> {
    positive(from).map(Some)
}
