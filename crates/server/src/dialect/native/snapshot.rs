//! A session as it stands, as JSON: the data of a `resync` frame.

use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use turnkit_core::{
    Cost, Cursor, Message, Part, QueuedTurn, SamplingParams, SessionId, SessionName, SessionSummary, Snapshot,
    Timestamp, ToolUse, TurnId,
};

use super::{TurnSoFarJson, UsageJson, shown};

/// The state of a session, sent where exact resume is impossible. It is not an event of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ResyncEvent")]
pub struct NativeSnapshot<'a> {
    /// The session.
    pub session: SessionJson<'a>,
    /// The last of what was said before `turn`, or at all if there is none.
    pub messages: Cow<'a, [Message]>,
    /// If more was said before these: the `cursor` with which the list of the session's messages goes on there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<String>,
    /// The turn the reader is in, or the session's last one, so far.
    pub turn: Option<TurnSoFarJson<'a>>,
    /// The turns that wait, the next one first.
    pub queue: Vec<QueuedTurnJson<'a>>,
    /// Names the last event of `turn`.
    #[serde(with = "as_text")]
    #[schemars(with = "String")]
    pub cursor: Cursor,
}

/// A session without what was said in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Session")]
pub struct SessionJson<'a> {
    /// Our id.
    pub id: SessionId,
    /// The client's name for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub name: Option<Cow<'a, SessionName>>,
    /// The agent it was begun with.
    pub agent: Cow<'a, str>,
    /// What it is about.
    pub title: Cow<'a, str>,
    /// How many turns it has had.
    pub turns: u32,
    /// When it was made.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub created_at: Timestamp,
    /// When a turn last began or ended.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub last_active: Timestamp,
    /// What all its turns consumed.
    pub usage: UsageJson,
    /// What that cost.
    pub cost: Cost,
    /// What tools and clients remember, by key.
    pub metadata: Cow<'a, Map<String, Value>>,
    /// The turn that the next one continues; absent if the next one begins without history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<TurnId>,
    /// The name of the prompt that follows the agent's own, if it selects one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Cow<'a, str>>,
    /// Sampling settings of its turns, if it has any.
    #[serde(default, skip_serializing_if = "SamplingParams::is_empty")]
    pub params: Cow<'a, SamplingParams>,
    /// `none` if its turns have no tools.
    #[serde(default, skip_serializing_if = "ToolUse::is_auto")]
    pub tools: ToolUse,
    /// The name of the mode of its turns, if it selects one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Cow<'a, str>>,
}

/// A turn that waits for its session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "QueuedTurn")]
pub struct QueuedTurnJson<'a> {
    /// Which.
    pub turn_id: TurnId,
    /// Its number in the session.
    pub number: u32,
    /// What the user said.
    pub input: Cow<'a, [Part]>,
    /// Whether the message is for the turn that runs, and becomes part of it if it can.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub steering: bool,
}

/// Which turns wait for a session: the data of a `queue` frame, which is no event of the log.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "QueueEvent")]
pub(super) struct Queue<'a> {
    /// The turns that wait, the next one first.
    pub(super) queue: Vec<QueuedTurnJson<'a>>,
}

impl<'a> NativeSnapshot<'a> {
    /// The JSON of a snapshot.
    pub fn of(snapshot: &'a Snapshot) -> Self {
        Self {
            session: SessionJson::of(&snapshot.session),
            messages: shown::messages(&snapshot.messages),
            earlier: snapshot.earlier.map(|(turn, place)| format!("{turn}-{place}")),
            turn: snapshot.turn.as_ref().map(TurnSoFarJson::of),
            queue: Queue::of(&snapshot.queue).queue,
            cursor: snapshot.cursor,
        }
    }
}

impl<'a> SessionJson<'a> {
    /// The JSON of a session.
    pub fn of(session: &'a SessionSummary) -> Self {
        Self {
            id: session.id,
            name: session.name.as_ref().map(Cow::Borrowed),
            agent: Cow::Borrowed(&session.agent),
            title: Cow::Borrowed(&session.title),
            turns: session.turns,
            created_at: session.created_at,
            last_active: session.last_active,
            usage: UsageJson::of(&session.usage),
            cost: session.usage.cost,
            metadata: Cow::Borrowed(&session.metadata),
            head: session.head,
            prompt: session.prompt.as_deref().map(Cow::Borrowed),
            params: Cow::Borrowed(&session.params),
            tools: session.tools,
            mode: session.mode.as_deref().map(Cow::Borrowed),
        }
    }
}

impl<'a> Queue<'a> {
    pub(super) fn of(queue: &'a [QueuedTurn]) -> Self {
        let turn = |turn: &'a QueuedTurn| QueuedTurnJson {
            turn_id: turn.id,
            number: turn.number,
            input: shown::parts(&turn.input.parts),
            steering: turn.steering,
        };
        Self { queue: queue.iter().map(turn).collect() }
    }
}

/// A value in its text form.
mod as_text {
    use super::{Deserialize, Deserializer, Display, FromStr, Serializer};

    pub(super) fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(super) fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
