//! Sessions: conversations with an agent.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    Fence, Grant, History, RawJson, SamplingParams, SessionId, SessionName, Timestamp, ToolUse, TurnId, Usage,
};

/// A conversation as agents, tools and hosts see it. A host that implements its own storage keeps it as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// The id of the session.
    pub id: SessionId,
    /// The session's name, as the client chose it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<SessionName>,
    /// The agent that the session was created with.
    pub agent: String,
    /// Data that tools store, by key.
    pub metadata: Map<String, Value>,
    /// The sampling settings of the session's turns.
    #[serde(default, skip_serializing_if = "SamplingParams::is_empty")]
    pub params: SamplingParams,
    /// The usage of all turns.
    pub usage: Usage,
    /// The number of turns, including failed ones.
    pub turns: u32,
    /// When the session was created.
    pub created_at: Timestamp,
    /// When a turn last began or ended.
    pub last_active: Timestamp,
    /// The messages of the session.
    #[serde(rename = "messages")]
    pub history: History,
    /// The turn that waits for a decision, or whose run was aborted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_turn: Option<OpenTurn>,
    /// The name of the prompt that follows the agent's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Box<str>>,
    /// The name of the mode of the session's turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Box<str>>,
    /// Whether the session's turns may use tools.
    #[serde(default, skip_serializing_if = "ToolUse::is_auto")]
    pub tools: ToolUse,
    /// The grants of the session, if its host keeps it. A store keeps grants separately.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grants: Vec<Grant>,
}

/// An unfinished turn of a session that the host keeps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenTurn {
    /// The id of the turn.
    pub turn: TurnId,
    /// The number of the session's messages before the turn.
    pub first_message: u32,
    /// The number of the last event that was written.
    pub last_seq: u32,
    /// The fence of the last owner.
    pub fence: Fence,
    /// The state of the turn machine.
    pub machine: RawJson,
}

impl Session {
    /// Creates an empty session.
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

    /// Sets the keys of `changes` in the metadata. Existing values of these keys are replaced.
    pub fn merge_metadata(&mut self, changes: &Map<String, Value>) {
        self.metadata.extend(changes.iter().map(|(key, value)| (key.clone(), value.clone())));
    }
}

/// A session without its messages.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionSummary {
    /// The id of the session.
    pub id: SessionId,
    /// The session's name, as the client chose it.
    pub name: Option<SessionName>,
    /// The agent that the session was created with.
    pub agent: Box<str>,
    /// The title of the session.
    pub title: Box<str>,
    /// The number of turns, including queued ones.
    pub turns: u32,
    /// When the session was created.
    pub created_at: Timestamp,
    /// When a turn last began or ended.
    pub last_active: Timestamp,
    /// The usage of all turns.
    pub usage: Usage,
    /// Data that tools and clients store, by key.
    pub metadata: Map<String, Value>,
    /// The turn that the next turn continues; `None` if the next turn begins without history.
    pub head: Option<TurnId>,
    /// The name of the prompt that follows the agent's own.
    pub prompt: Option<Box<str>>,
    /// The sampling settings of the session's turns.
    pub params: SamplingParams,
    /// Whether the session's turns may use tools.
    pub tools: ToolUse,
    /// The name of the mode of the session's turns.
    pub mode: Option<Box<str>>,
    /// Whether lists of sessions contain it. They leave out sessions that hold a single turn of a client that keeps the
    /// history itself ([`SessionKey::Ephemeral`](crate::SessionKey)), and sessions of sub-agents.
    pub listed: bool,
    /// Whether lists begin with the session.
    pub pinned: bool,
    /// Whether lists leave the session out unless they are asked for archived ones.
    pub archived: bool,
}

impl SessionSummary {
    /// Creates the summary of a listed session from the session and the data that stores keep beside it: the title and
    /// the head. It is neither pinned nor archived.
    pub fn new(session: Session, title: Box<str>, head: Option<TurnId>) -> Self {
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
            listed: true,
            pinned: false,
            archived: false,
        }
    }
}
