//! Sub-agent turns: a tool call starts a turn in a separate session and gets back a report.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Cost, RawJson, SessionId, Tokens, TurnId, TurnStatus, Usage};

/// The maximum nesting depth of sub-agent turns. A turn at this depth cannot start another one.
pub const MAX_CHILD_DEPTH: usize = 3;

/// The sub-agent turn that a tool call needs in order to finish. The call waits for the turn to end, then runs again
/// with a [`ChildReport`] as its [answer](crate::ports::ToolContext::answer).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChildTurn {
    /// The agent that answers; absent: the agent of the calling turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The task for the agent.
    pub prompt: String,
    /// The part of the calling turn's conversation that the sub-agent's model also reads. Ignored if `session` is set.
    #[serde(default, skip_serializing_if = "ChildContext::is_none")]
    pub context: ChildContext,
    /// The child session to continue, from an earlier report in the same session. If it is absent, deleted or busy, a
    /// new session is created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// Tool state that is returned to the tool with the report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<RawJson>,
}

impl ChildTurn {
    /// The maximum size in bytes: of the JSON form, and of the prompt together with the copied conversation.
    pub const MAX_BYTES: usize = 256 * 1024;

    /// Creates a turn in a new session, answered by the agent of the calling turn.
    pub fn new(prompt: impl Into<String>) -> Self {
        Self { agent: None, prompt: prompt.into(), context: ChildContext::None, session: None, state: None }
    }
}

/// The part of the calling turn's conversation that a sub-agent reads. It is taken from the messages that the calling
/// turn's model is sent, up to the answer with the call. Instructions, reasoning, images and the results of a
/// provider's own tools are always left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChildContext {
    /// Nothing.
    #[default]
    None,
    /// A summary, which the sub-agent turn has a model write before its first step. If there is no summary, or if it
    /// would be hardly shorter, all messages are sent.
    Summary,
    /// The messages of the user and the model, without tool calls, their results and the contexts attached by the user.
    Filtered,
    /// All messages, with tool calls and their results.
    Full,
}

impl ChildContext {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
    fn is_none(&self) -> bool {
        *self == Self::None
    }
}

/// The identity of a sub-agent turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ChildPlace")]
pub struct ChildId {
    /// The id of the turn.
    #[serde(rename = "turn_id")]
    #[schemars(with = "String")]
    pub turn: TurnId,
    /// The agent that answers.
    pub agent: String,
}

/// The outcome of a sub-agent turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChildReport {
    /// The id of the turn.
    #[serde(rename = "turn_id")]
    #[schemars(with = "String")]
    pub turn: TurnId,
    /// The session of the turn.
    #[serde(rename = "session_id")]
    #[schemars(with = "String")]
    pub session: SessionId,
    /// The agent that answered.
    pub agent: String,
    /// How the turn ended.
    pub status: TurnStatus,
    /// The error that ended the turn, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ChildError>,
    /// The text of the turn's last step, at most as long as a tool result may be.
    pub text: String,
    /// The tokens that the turn consumed, including those of the turns it started.
    #[serde(rename = "usage")]
    pub tokens: Tokens,
    /// The cost of these tokens.
    pub cost: Cost,
}

/// The error that ended a sub-agent turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChildError {
    /// The code of the error, such as `max_tool_rounds`.
    pub code: String,
    /// A sentence for people.
    pub message: String,
}

impl ChildReport {
    /// Returns the number of bytes of text in the report.
    pub(crate) fn text_bytes(&self) -> usize {
        self.text.len() + self.error.as_ref().map_or(0, |error| error.message.len())
    }

    /// Returns the usage of the turn, including that of the turns it started.
    pub fn usage(&self) -> Usage {
        self.tokens.clone().costing(self.cost, None)
    }
}

/// The data that a sub-agent turn inherits from its ancestor turns.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Lineage {
    /// The ancestor turns, beginning with the turn that the user started.
    pub ancestors: Vec<Ancestor>,
    /// Whether the model that wrote the prompt had been sent untrusted text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub untrusted: bool,
    /// Whether the conversation in the first message is summarised before the first step.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub summarise: bool,
}

impl Lineage {
    /// Returns the number of bytes of text in the lineage.
    pub(crate) fn text_bytes(&self) -> usize {
        self.ancestors.iter().map(|turn| turn.agent.len() + turn.mode.as_ref().map_or(0, |mode| mode.len())).sum()
    }
}

/// The properties of an ancestor turn that affect the permissions of a sub-agent turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ancestor {
    /// The agent.
    pub agent: String,
    /// The agent's mode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Box<str>>,
}
