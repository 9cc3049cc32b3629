//! A turn that a tool call starts in a session of its own, and what the call gets back.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Cost, RawJson, SessionId, Tokens, TurnId, TurnStatus, Usage};

/// How deeply turns of sub-agents may be nested: a turn at this depth starts none.
pub const MOST_CHILD_DEPTH: usize = 3;

/// The turn that a tool cannot finish without. The call waits for its end, and then runs again with a [`ChildReport`] in its
/// [answer](crate::ports::ToolContext::answer).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChildTurn {
    /// The agent that answers; absent: the agent of the turn that makes the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// What the agent is to do.
    pub prompt: String,
    /// What its model reads besides, of the conversation of the turn that makes the call. Ignored if `session` is given.
    #[serde(default, skip_serializing_if = "ChildContext::is_none")]
    pub context: ChildContext,
    /// The child session to continue, from an earlier report of the same session. Absent, gone or busy: a new one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// What the tool gets back with the report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<RawJson>,
}

impl ChildTurn {
    /// The most bytes of JSON that it may have, and the most bytes of the prompt with what is read of the conversation.
    pub const MAX_BYTES: usize = 256 * 1024;

    /// A turn in a new session, answered by the agent that makes the call.
    pub fn new(prompt: impl Into<String>) -> Self {
        Self { agent: None, prompt: prompt.into(), context: ChildContext::None, session: None, state: None }
    }
}

/// What a sub-agent reads of the conversation of the turn that starts it: of the messages that the model of that turn is sent,
/// up to the answer with the call. Instructions, reasoning, images and what a provider's own tools found are never among it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChildContext {
    /// Nothing.
    #[default]
    None,
    /// A summary, which the turn of the sub-agent has written before its first step. If there is no summary, or if it would
    /// hardly be shorter: all messages.
    Summary,
    /// What the user and the model said, without tool calls, their results and texts that the user sent along.
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

/// Where the turn of a sub-agent is found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChildPlace {
    /// The turn.
    #[serde(rename = "turn_id")]
    #[schemars(with = "String")]
    pub turn: TurnId,
    /// The agent that answers.
    pub agent: String,
}

/// What came of the turn of a sub-agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChildReport {
    /// The turn.
    #[serde(rename = "turn_id")]
    #[schemars(with = "String")]
    pub turn: TurnId,
    /// Its session.
    #[serde(rename = "session_id")]
    #[schemars(with = "String")]
    pub session: SessionId,
    /// The agent that answered.
    pub agent: String,
    /// How the turn ended.
    pub status: TurnStatus,
    /// The text of its last step, not longer than a result of a tool.
    pub text: String,
    /// The tokens that it consumed, with those of the turns that it started itself.
    #[serde(rename = "usage")]
    pub tokens: Tokens,
    /// What they cost.
    pub cost: Cost,
}

impl ChildReport {
    /// What it consumed, with the turns that it started itself.
    pub fn usage(&self) -> Usage {
        self.tokens.clone().costing(self.cost, None)
    }
}

/// What the turn of a sub-agent inherits from the turns above it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Lineage {
    /// The turns above it, the one that the user started first.
    pub ancestors: Vec<Ancestor>,
    /// Whether the model that wrote the prompt was sent text from outside.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub untrusted: bool,
    /// Whether the conversation in the first message is summarised before the first step.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub summarise: bool,
}

impl Lineage {
    /// How many bytes of text it holds.
    pub(crate) fn text_bytes(&self) -> usize {
        self.ancestors.iter().map(|above| above.agent.len() + above.mode.as_ref().map_or(0, |mode| mode.len())).sum()
    }
}

/// A turn above that of a sub-agent, as far as permissions depend on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ancestor {
    /// The agent.
    pub agent: String,
    /// Its mode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Box<str>>,
}
