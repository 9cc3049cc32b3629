//! The section `[[agents]]`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turnkit_core::{OutputSchema, SamplingParams};
use turnkit_engine::{ContextSettings, Prompt, Pruning, Skills};

use super::permissions::{ModeConfig, PermissionModeConfig, TrustConfig};
use super::router::RouteConfig;
use super::value::{percent, percent_or_never, some_positive, some_temperature};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AgentConfig {
    /// The name of the agent.
    pub(crate) name: String,
    /// What the agent is good for, in one sentence. Other agents read it when they choose an agent for the tool `task`,
    /// and so do programs that use agents as tools over MCP. Default: the first line of `instructions`.
    pub(crate) description: Option<String>,
    /// The instructions, which the model reads before anything else. They may be a Jinja template: `{{ agent }}`,
    /// `{{ user }}`, `{{ today }}`, `{{ mode }}` and `{{ session.metadata.KEY }}` are replaced by values of the turn.
    pub(crate) instructions: Option<String>,
    /// A text file with the instructions, instead of `instructions`.
    pub(crate) instructions_file: Option<PathBuf>,
    /// The parsed `instructions` or content of `instructions_file`.
    #[serde(skip)]
    pub(crate) prompt: Option<Prompt>,
    /// Text files that are part of the instructions of every session, such as `AGENTS.md`. A file that changes is read
    /// again before the next turn. Relative paths start at the folder of the configuration file and cannot lead out of
    /// it.
    #[serde(default)]
    pub(crate) bootstrap: Vec<PathBuf>,
    /// A folder of skills. Each skill is a folder in it with a `SKILL.md`, which begins with the `name` and
    /// `description` of the skill between lines of `---`. The instructions list the skills, and the model reads the
    /// rest with the tool `read_skill`.
    pub(crate) skills: Option<PathBuf>,
    /// The skills found in the folder.
    #[serde(skip)]
    pub(crate) found_skills: Option<Skills>,
    /// Texts of modes that sessions and turns select by name, as in `modes = { review = "Look for mistakes." }`. The
    /// text follows the instructions, and may be a template like them. A mode called `general`, `plan`, `build` or
    /// `explore` replaces the built-in mode of that name.
    ///
    /// A mode may also set a permission mode, as in
    /// `modes = { review = { text = "Look.", permission_mode = "plan" } }`. The mode `plan` sets the permission mode
    /// `plan`, unless its table sets another one. The stricter of the permission modes of the mode and of the agent
    /// applies.
    #[serde(default)]
    pub(crate) modes: BTreeMap<String, ModeConfig>,
    /// The parsed `modes`.
    #[serde(skip)]
    pub(crate) mode_prompts: Vec<(String, Prompt)>,
    /// A hint on using tools. It follows the rest of the instructions if the agent has tools.
    pub(crate) tools_hint: Option<String>,
    /// A JSON Schema of an object, as a text, which the agent's answers must match, for programs that read them.
    /// Default: answers are text.
    pub(crate) output_schema: Option<String>,
    /// A JSON file with the schema, instead of `output_schema`.
    pub(crate) output_schema_file: Option<PathBuf>,
    /// The parsed `output_schema` or content of `output_schema_file`.
    #[serde(skip)]
    pub(crate) shape: Option<Arc<OutputSchema>>,
    /// The providers and the model that may answer.
    #[serde(default)]
    pub(crate) route: RouteConfig,
    /// The tools that the agent may use: names, or prefixes with `*`. A prefix does not match `fetch_url`,
    /// `write_file`, `edit_file`, `run_command`, `ask_user` and `task`.
    #[serde(default = "all_tools")]
    pub(crate) tools: Vec<String>,
    /// The tools among `tools` whose definitions the model is not sent until it has found them with `tool_search`:
    /// names, or prefixes with `*`.
    #[serde(default)]
    pub(crate) defer_tools: Vec<String>,
    /// The largest number of tool rounds in a turn. An answer that its provider pauses counts as a round. Default: 25.
    #[serde(default, deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) max_rounds: Option<u16>,
    /// The action after the last round.
    #[serde(default)]
    pub(crate) on_limit: OnLimit,
    /// How much the model should reason. `params` may set it instead. Default: the provider's default.
    pub(crate) thinking: Option<Thinking>,
    /// Parameters of the agent's model calls. Sessions and turns may set their own, which take precedence field by
    /// field.
    #[serde(default)]
    pub(crate) params: ParamsConfig,
    /// Which messages of a session are sent to the model.
    #[serde(default)]
    pub(crate) context: ContextConfig,
    /// The handling of a message that arrives while a turn of the session runs.
    #[serde(default)]
    pub(crate) on_busy: OnBusy,
    /// The action when an answer breaks off after it has begun.
    #[serde(default)]
    pub(crate) on_stream_failure: OnStreamFailure,
    /// The decision about calls that no rule decides and that would need the approval of a person.
    #[serde(default)]
    pub(crate) permission_mode: PermissionModeConfig,
    /// Which tools need no approval because this agent calls them.
    #[serde(default)]
    pub(crate) trust: TrustConfig,
}

/// The instructions of the default agent, which exists without a configuration.
const INSTRUCTIONS: &str = "You are a helpful assistant.";

fn all_tools() -> Vec<String> {
    vec!["*".to_owned()]
}

impl Default for AgentConfig {
    fn default() -> Self {
        Self {
            name: "assistant".to_owned(),
            description: None,
            instructions: Some(INSTRUCTIONS.to_owned()),
            instructions_file: None,
            prompt: Some(Prompt::fixed(INSTRUCTIONS)),
            bootstrap: Vec::new(),
            skills: None,
            found_skills: None,
            modes: BTreeMap::new(),
            mode_prompts: Vec::new(),
            tools_hint: None,
            output_schema: None,
            output_schema_file: None,
            shape: None,
            route: RouteConfig::default(),
            tools: all_tools(),
            defer_tools: Vec::new(),
            max_rounds: None,
            on_limit: OnLimit::default(),
            thinking: None,
            params: ParamsConfig::default(),
            context: ContextConfig::default(),
            on_busy: OnBusy::default(),
            on_stream_failure: OnStreamFailure::default(),
            permission_mode: PermissionModeConfig::default(),
            trust: TrustConfig::default(),
        }
    }
}

/// Parameters of model calls. The provider decides parameters that are absent.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ParamsConfig {
    /// The sampling temperature. Lower values make answers to the same question more alike. Each model has its own
    /// maximum, and some models do not accept a temperature. Default: the provider's default.
    #[serde(deserialize_with = "some_temperature")]
    #[schemars(range(min = 0))]
    pub(crate) temperature: Option<f32>,
    /// The longest answer of one model call, in tokens, including reasoning. Default: the provider's default.
    #[serde(deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) max_tokens: Option<u32>,
    /// How much the model should reason. Default: `thinking` of the agent, else the provider's default.
    pub(crate) thinking: Option<Thinking>,
    /// Stop sequences, such as `["END"]`: at most 4, of at most 255 bytes each. An answer ends where the model would
    /// write one of them. Over the `openai-responses` wire, and for models that accept none, they are left out with a
    /// notice.
    #[schemars(length(max = 4), inner(length(min = 1, max = 255)))]
    pub(crate) stop: Option<Vec<String>>,
}

impl From<&ParamsConfig> for SamplingParams {
    fn from(config: &ParamsConfig) -> Self {
        let ParamsConfig { temperature, max_tokens, thinking, stop } = config;
        let stop = stop.as_ref().map(|texts| texts.iter().map(|text| text.as_str().into()).collect());
        Self { temperature: *temperature, max_tokens: *max_tokens, thinking: thinking.map(Into::into), stop }
    }
}

/// Which messages of a session are sent to the model. All messages stay in the session.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ContextConfig {
    /// The largest number of messages in a request. An answer with calls counts as one message, and so do the results
    /// of its calls together. If a request would have more, the oldest messages are left out, down to half of this
    /// number. The newest message of the user and the last round of tools are always sent. 0: no limit.
    pub(crate) max_messages: u32,
    /// The largest number of tokens of a request and its answer. The default and upper limit is the window of the
    /// model. If several models may answer, it is the smallest of their windows.
    #[serde(deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) budget: Option<u32>,
    /// The share of these tokens, in percent, at which contents of results are left out or messages are summarised. The
    /// size of a request is the token count that the provider reported last, plus an estimate of later messages, plus
    /// room for the answer: `params.max_tokens`, else 4096 or a quarter of the window.
    #[serde(deserialize_with = "percent")]
    #[schemars(range(min = 1, max = 100))]
    pub(crate) compact_at: u8,
    /// Whether the model writes a summary of the oldest messages when `compact_at` is reached, which is sent instead of
    /// them. The summary is one more call, to the same model or to that of `compact_route`. If this is false, or if the
    /// summary fails and the request would not fit, the oldest messages are left out until the rest fills at most half
    /// of the room for messages.
    pub(crate) summarise: bool,
    /// How many of the newest messages are kept besides a summary. Fewer are kept if these fill more than half of the
    /// room for messages, and two if the user requests the summary.
    pub(crate) keep_messages: u32,
    /// The provider and model that write summaries. Default: those that answer, because their prompt cache has most of
    /// the messages. If the client of a turn names a provider, that provider writes its summaries.
    pub(crate) compact_route: Option<CompactRouteConfig>,
    /// When to leave out the contents of tool results that are no longer needed: of a call that failed and was made
    /// again, of a file that was read again or changed later, of a search that found nothing, and of results beyond
    /// `keep_results`. The results of the last round are always sent, and so is every call.
    pub(crate) prune: PruneConfig,
    /// The number of newest tool results whose contents are sent when others are left out. With `prune = "always"`,
    /// older contents are left out once there are twice as many results. Contents of less than 50 tokens are not
    /// counted and stay. 0: no limit.
    pub(crate) keep_results: u32,
    /// The longest time for which new text of an answer stays unsaved, in milliseconds. If the server is killed, no
    /// more text is lost. Saved text is kept as an interrupted answer if the turn ends without another one, because its
    /// attempts or its time are used up or it is cancelled. Each save is a commit. 0: an answer is saved only when it
    /// is complete.
    pub(crate) partial_save_ms: u32,
    /// The share of the tokens, in percent, at which the oldest messages are summarised in the background after a turn
    /// has ended, unless the next message is queued. A new message stops the summary and runs at once. The call has the
    /// tier `idle`. 0: never. Without `summarise` it has no effect.
    #[serde(deserialize_with = "percent_or_never")]
    #[schemars(range(min = 0, max = 100))]
    pub(crate) precompact_at: u8,
    /// Whether the model writes a title of each session after its first answer, with one more short call in the
    /// background. The next message stops this call. A title that the user gave the session stays.
    pub(crate) titles: bool,
}

impl Default for ContextConfig {
    fn default() -> Self {
        let ContextSettings {
            max_messages,
            budget,
            compact_at,
            summarise,
            keep_messages,
            pruning,
            keep_results,
            precompact_at,
            titles,
        } = ContextSettings::default();
        let prune = match pruning {
            Pruning::Never => PruneConfig::Never,
            Pruning::Pressure => PruneConfig::Pressure,
            Pruning::Always => PruneConfig::Always,
        };
        Self {
            max_messages,
            budget,
            compact_at,
            summarise,
            keep_messages,
            compact_route: None,
            prune,
            keep_results,
            partial_save_ms: 0,
            precompact_at,
            titles,
        }
    }
}

impl From<&ContextConfig> for ContextSettings {
    fn from(context: &ContextConfig) -> Self {
        let ContextConfig {
            max_messages,
            budget,
            compact_at,
            summarise,
            keep_messages,
            compact_route: _,
            prune,
            keep_results,
            partial_save_ms: _,
            precompact_at,
            titles,
        } = *context;
        let pruning = match prune {
            PruneConfig::Never => Pruning::Never,
            PruneConfig::Pressure => Pruning::Pressure,
            PruneConfig::Always => Pruning::Always,
        };
        Self {
            max_messages,
            budget,
            compact_at,
            summarise,
            keep_messages,
            pruning,
            keep_results,
            precompact_at,
            titles,
        }
    }
}

/// The provider and model that write the summaries of an agent. The tags of the agent's route apply here too.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct CompactRouteConfig {
    /// The id of the provider. Default: as for answers.
    pub(crate) provider: Option<String>,
    /// The model. Messages that do not fit its window are summarised in up to four pieces. Default: as for answers, or
    /// the default model of `provider` if that is another provider.
    pub(crate) model: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PruneConfig {
    /// Never.
    Never,
    /// Before a request would fill more than `compact_at` percent, if that makes enough room.
    Pressure,
    /// Also between turns, unless more than 8,000 tokens follow, and within a turn from its fourth step on, once it
    /// saves 3,000 tokens.
    Always,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OnLimit {
    /// End the turn.
    #[default]
    Stop,
    /// Answer once more, without tools.
    Answer,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Thinking {
    /// As little as the model allows.
    Off,
    /// Low effort.
    Low,
    /// Medium effort.
    Medium,
    /// High effort.
    High,
    /// The highest effort that the wire can express. On OpenAI's wires, this is the same as `high`.
    Max,
}

impl From<Thinking> for turnkit_core::Thinking {
    fn from(thinking: Thinking) -> Self {
        match thinking {
            Thinking::Off => Self::Off,
            Thinking::Low => Self::Low,
            Thinking::Medium => Self::Medium,
            Thinking::High => Self::High,
            Thinking::Max => Self::Max,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OnBusy {
    /// Run the message afterwards, in order.
    #[default]
    Enqueue,
    /// Reject the message.
    Reject,
    /// Stop the running turn, then run the message.
    Interrupt,
    /// Pass the message to the running turn before its next model call. If the turn ends before that, run it
    /// afterwards, in order.
    Steer,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OnStreamFailure {
    /// Keep the partial answer, and end the turn with the error.
    #[default]
    Stop,
    /// Withdraw the partial answer and repeat the call, to another provider if there is one.
    Redo,
}
