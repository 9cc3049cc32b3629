//! Who can be talked to, and what it may do.

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
    /// What it is called.
    pub(crate) name: String,
    /// What it is good for, in a sentence: other agents read it when they choose one for the tool `task`. Absent: the first line
    /// of `instructions`.
    pub(crate) description: Option<String>,
    /// What the model is told before anything else. `{{ agent }}`, `{{ user }}`, `{{ today }}`, `{{ mode }}` and
    /// `{{ session.metadata.KEY }}` stand for values of the turn, in the language of Jinja.
    pub(crate) instructions: Option<String>,
    /// A text file with the instructions, instead of `instructions`.
    pub(crate) instructions_file: Option<PathBuf>,
    /// The parsed `instructions` or content of `instructions_file`.
    #[serde(skip)]
    pub(crate) prompt: Option<Prompt>,
    /// Text files that stand in the instructions of every session, such as `AGENTS.md`. A file that changes is read again
    /// before the next turn. Relative paths start at this file's folder and cannot lead out of it.
    #[serde(default)]
    pub(crate) bootstrap: Vec<PathBuf>,
    /// A folder of skills. Each is a folder in it with a `SKILL.md`, which begins with its `name` and `description` between
    /// lines of `---`. The instructions list them, and the model reads the rest with the tool `read_skill`.
    pub(crate) skills: Option<PathBuf>,
    /// The skills of the folder.
    #[serde(skip)]
    pub(crate) found_skills: Option<Skills>,
    /// Texts of modes that sessions and turns select by name, as in `modes = { review = "Look for mistakes." }`. The text
    /// follows the instructions, and may be a template like them. A mode called `general`, `plan`, `build` or `explore`
    /// replaces the built-in one.
    ///
    /// A mode may also set a permission mode, as in `modes = { review = { text = "Look.", permission_mode = "plan" } }`; `plan`
    /// sets `plan` unless it says otherwise. The more careful of it and the agent's counts.
    #[serde(default)]
    pub(crate) modes: BTreeMap<String, ModeConfig>,
    /// The parsed `modes`.
    #[serde(skip)]
    pub(crate) mode_prompts: Vec<(String, Prompt)>,
    /// A hint on using tools. It follows the rest of the instructions if the agent has tools.
    pub(crate) tools_hint: Option<String>,
    /// The shape of its answers, for programs that read them: a JSON Schema of an object, as a text. Absent: text.
    pub(crate) output_schema: Option<String>,
    /// A JSON file with the shape, instead of `output_schema`.
    pub(crate) output_schema_file: Option<PathBuf>,
    /// What either of them says.
    #[serde(skip)]
    pub(crate) shape: Option<Arc<OutputSchema>>,
    /// Who answers.
    #[serde(default)]
    pub(crate) route: RouteConfig,
    /// The tools it may use: names, or beginnings of names with `*`, which stand for all but `fetch_url`, `write_file`,
    /// `edit_file`, `run_command`, `ask_user` and `task`.
    #[serde(default = "all_tools")]
    pub(crate) tools: Vec<String>,
    /// Those of them that its model is not told of until it has found them with `tool_search`: names, or beginnings of names
    /// with `*`.
    #[serde(default)]
    pub(crate) defer_tools: Vec<String>,
    /// How many rounds of tools a turn may have; an answer that its provider pauses is one. Absent: 25.
    #[serde(default, deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) max_rounds: Option<u16>,
    /// What to do after the last round.
    #[serde(default)]
    pub(crate) on_limit: OnLimit,
    /// How much the model should reason, as in `params`, which may have it instead. Absent: as the provider likes.
    pub(crate) thinking: Option<Thinking>,
    /// Settings of its model calls. Sessions and turns may have their own, which win field by field.
    #[serde(default)]
    pub(crate) params: ParamsConfig,
    /// Which messages of a session the model is sent.
    #[serde(default)]
    pub(crate) context: ContextConfig,
    /// What to do with a message while a turn of the session runs.
    #[serde(default)]
    pub(crate) on_busy: OnBusy,
    /// What to do when an answer breaks off after it has begun.
    #[serde(default)]
    pub(crate) on_stream_failure: OnStreamFailure,
    /// What becomes of calls that no rule decides and that a person would be asked about.
    #[serde(default)]
    pub(crate) permission_mode: PermissionModeConfig,
    /// Which tools need no approval because it is this agent that calls them.
    #[serde(default)]
    pub(crate) trust: TrustConfig,
}

/// The instructions of the agent that exists without any configuration.
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

/// Settings of model calls. The provider decides what is absent.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ParamsConfig {
    /// Sampling temperature: the lower, the more alike answers to the same question. Each model has its own largest value,
    /// and some take none. Absent: the provider's default.
    #[serde(deserialize_with = "some_temperature")]
    #[schemars(range(min = 0))]
    pub(crate) temperature: Option<f32>,
    /// The longest answer of one model call, in tokens, reasoning included. Absent: the provider's default.
    #[serde(deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) max_tokens: Option<u32>,
    /// How much the model should reason. Absent: `thinking` of the agent, else the provider's default.
    pub(crate) thinking: Option<Thinking>,
    /// Texts that end an answer where the model would write them, such as `["END"]`: at most 4, of at most 255 bytes each.
    /// Over the `openai-responses` wire, and for models that take none, they are left out with a notice.
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

/// Which messages of a session the model is sent. All of them stay in the session.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ContextConfig {
    /// The most messages of a request. An answer with calls counts as one, and so do its results together. Before a request
    /// has more, the oldest are left out, down to half as many. The newest message of the user and the last round of tools
    /// are always sent. 0: no limit.
    pub(crate) max_messages: u32,
    /// The most tokens of a request and its answer. Absent, or larger than the window of the model: the window. Of several
    /// models that may answer, it is the smallest window.
    #[serde(deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) budget: Option<u32>,
    /// At which share of these tokens, in percent, contents of results are left out, or messages summarised. The tokens of a
    /// request are those that the provider counted last and an estimate of what follows, with room for the answer:
    /// `params.max_tokens`, else 4096 or a quarter of the window.
    #[serde(deserialize_with = "percent")]
    #[schemars(range(min = 1, max = 100))]
    pub(crate) compact_at: u8,
    /// Whether the model writes a summary of the oldest messages when `compact_at` is reached, which is sent in their place:
    /// one more call, to the same model or the one of `compact_route`. If false, or if the summary fails and the request would
    /// not fit, the oldest messages are left out, until the rest fills at most half of the room for messages.
    pub(crate) summarise: bool,
    /// How many of the newest messages stay besides a summary. Fewer stay if these fill more than half of the room for
    /// messages, and two if the user asks for the summary.
    pub(crate) keep_messages: u32,
    /// Who writes summaries. Absent: who answers, whose prompt cache has most of the messages. If the client of a turn names
    /// a provider, that provider writes its summaries.
    pub(crate) compact_route: Option<CompactRouteConfig>,
    /// When the contents of tool results are left out that are not needed any more: of a call that failed and was made
    /// again, of a file that was read again or changed later, of a search that found nothing, and of results beyond
    /// `keep_results`. The results of the last round are always sent, and so is every call.
    pub(crate) prune: PruneConfig,
    /// The number of newest tool results whose contents are sent when others are left out. With `prune = "always"`, older
    /// ones are left out once there are twice as many. Contents of less than 50 tokens are not counted, and stay. 0: no limit.
    pub(crate) keep_results: u32,
    /// How long after it began to grow the text of an answer is saved, in milliseconds: no more of it is lost if the server
    /// is killed. Saved text is kept as an interrupted answer if the turn ends without another one, because its attempts or
    /// its time are used up or it is cancelled. Each save is a commit. 0: nothing is saved before an answer is whole.
    pub(crate) partial_save_ms: u32,
    /// At which share of the tokens, in percent, a turn that has ended has the oldest messages summarised in the background,
    /// unless the next message is queued. A message stops it and runs at once. It asks with the tier `idle`. 0: never. Without `summarise` it has no effect.
    #[serde(deserialize_with = "percent_or_never")]
    #[schemars(range(min = 0, max = 100))]
    pub(crate) precompact_at: u8,
    /// Whether the model writes a title of each session after its first answer, with one more short call in the background.
    /// The next message stops it. A title that the user gave the session stays.
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

/// Who writes the summaries of an agent. The tags of its route hold for this one, too.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct CompactRouteConfig {
    /// The id of the provider. Absent: as for answers.
    pub(crate) provider: Option<String>,
    /// The model. Its own window counts: messages that do not fit it are summarised in up to four pieces. Absent: as for
    /// answers, or the default of another provider.
    pub(crate) model: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PruneConfig {
    /// Never.
    Never,
    /// Before a request would fill more than `compact_at` percent, if that makes enough room.
    Pressure,
    /// Also between turns, unless more than 8,000 tokens follow, and within a turn from its fourth step on, once it saves
    /// 3,000 tokens.
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
    /// A little.
    Low,
    /// Some.
    Medium,
    /// A lot.
    High,
    /// As much as the wire can say: on OpenAI's, the same as a lot.
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
    /// Run it afterwards, in order.
    #[default]
    Enqueue,
    /// Refuse it.
    Reject,
    /// Stop the running turn, then run it.
    Interrupt,
    /// Let the running turn take it before its next model call; if the turn ends before that, run it afterwards, in order.
    Steer,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OnStreamFailure {
    /// Keep what was said, and end the turn with the error.
    #[default]
    Stop,
    /// Withdraw what was said, and ask again, of another provider if there is one.
    Redo,
}
