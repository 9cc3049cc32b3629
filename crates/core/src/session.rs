//! A conversation.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    Fence, Grant, History, RawJson, SamplingParams, SessionId, SessionName, Timestamp, ToolUse, TurnId, Usage,
};

/// A conversation as agents, tools and hosts see it. A host that brings its own storage keeps it as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// Our id of it.
    pub id: SessionId,
    /// The client's own name for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<SessionName>,
    /// The agent it was begun with.
    pub agent: String,
    /// What tools remember, by key.
    pub metadata: Map<String, Value>,
    /// Sampling settings of its turns.
    #[serde(default, skip_serializing_if = "SamplingParams::is_empty")]
    pub params: SamplingParams,
    /// What all its turns consumed.
    pub usage: Usage,
    /// How many turns it has had, failed ones included.
    pub turns: u32,
    /// When it began.
    pub created_at: Timestamp,
    /// When a turn last began or ended.
    pub last_active: Timestamp,
    /// What was said.
    #[serde(rename = "messages")]
    pub history: History,
    /// The turn that waits for a decision, or whose run was dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_turn: Option<OpenTurn>,
    /// The name of the prompt that follows the agent's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Box<str>>,
    /// The name of the mode of its turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Box<str>>,
    /// Whether its turns may use tools.
    #[serde(default, skip_serializing_if = "ToolUse::is_auto")]
    pub tools: ToolUse,
    /// What was granted in it, if its host keeps it. A store keeps grants itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grants: Vec<Grant>,
}

/// A turn of a host's session that is not over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenTurn {
    /// The turn.
    pub turn: TurnId,
    /// How many of the session's messages came before it.
    pub first_message: u32,
    /// The last event that was written.
    pub last_seq: u32,
    /// Who ran it last.
    pub fence: Fence,
    /// Where the turn machine stands.
    pub machine: RawJson,
}

impl Session {
    /// An empty session.
    pub fn new(id: SessionId, agent: impl Into<String>, now: Timestamp) -> Self {
        Self {
            id,
            name: None,
            agent: agent.into(),
            metadata: Map::new(),
            params: SamplingParams::default(),
            usage: Usage::default(),
            turns: 0,
            created_at: now,
            last_active: now,
            history: History::default(),
            open_turn: None,
            prompt: None,
            mode: None,
            tools: ToolUse::Auto,
            grants: Vec::new(),
        }
    }

    /// Sets the keys of `changes` in the metadata; what was under them is replaced.
    pub fn merge_metadata(&mut self, changes: &Map<String, Value>) {
        self.metadata.extend(changes.iter().map(|(key, value)| (key.clone(), value.clone())));
    }
}

/// A session without what was said in it.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionSummary {
    /// Our id.
    pub id: SessionId,
    /// The client's name for it.
    pub name: Option<SessionName>,
    /// The agent it was begun with.
    pub agent: Box<str>,
    /// What it is about.
    pub title: Box<str>,
    /// How many turns it has had, those that wait included.
    pub turns: u32,
    /// When it was made.
    pub created_at: Timestamp,
    /// When a turn last began or ended.
    pub last_active: Timestamp,
    /// What all its turns consumed.
    pub usage: Usage,
    /// What tools and clients remember, by key.
    pub metadata: Map<String, Value>,
    /// The turn that the next one continues; `None` if the next one begins without history.
    pub head: Option<TurnId>,
    /// The name of the prompt that follows the agent's own.
    pub prompt: Option<Box<str>>,
    /// Sampling settings of its turns.
    pub params: SamplingParams,
    /// Whether its turns may use tools.
    pub tools: ToolUse,
    /// The name of the mode of its turns.
    pub mode: Option<Box<str>>,
}

impl SessionSummary {
    /// Creates the summary of a session from what stores keep beside it: its title and its head.
    pub fn of(session: Session, title: Box<str>, head: Option<TurnId>) -> Self {
        let Session {
            id,
            name,
            agent,
            metadata,
            usage,
            turns,
            created_at,
            last_active,
            prompt,
            params,
            tools,
            mode,
            ..
        } = session;
        Self {
            id,
            name,
            agent: agent.into_boxed_str(),
            title,
            turns,
            created_at,
            last_active,
            usage,
            metadata,
            head,
            prompt,
            params,
            tools,
            mode,
        }
    }
}
