//! The state of a session, as JSON: the data of a `resync` frame.

use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use turnkit_core::{
    Cost, Cursor, Message, Part, QueuedTurn, SamplingParams, SessionId, SessionName, SessionSummary, Snapshot,
    Timestamp, ToolUse, TurnId,
};

use super::{TurnSnapshotBody, UsageBody, shown};

/// The state of a session, sent when the stream cannot resume exactly. It is not an event of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ResyncEvent")]
pub struct NativeSnapshot<'a> {
    /// The session.
    pub session: SessionBody<'a>,
    /// The last messages before `turn`, or the last messages of the session if `turn` is absent.
    pub messages: Cow<'a, [Message]>,
    /// The `cursor` that continues the list of the session's messages before these; absent if there are no earlier
    /// ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<String>,
    /// The turn that the client follows, or the session's last turn, so far.
    pub turn: Option<TurnSnapshotBody<'a>>,
    /// The session's last turns, as `GET /api/v1/sessions/{id}/turns` returns them, if the client asked for them with
    /// `?view=turns`. Then `messages` is empty and `turn` is null. A turn may include events after `cursor`, up to its
    /// own `seq`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Map<String, Value>>")]
    pub turns: Option<TurnPageJson>,
    /// The waiting turns, in the order in which they will run.
    pub queue: Vec<QueuedTurnBody<'a>>,
    /// The cursor of the last event of `turn`.
    #[serde(with = "as_text")]
    #[schemars(with = "String")]
    pub cursor: Cursor,
}

/// A page of turns as JSON. It is not [`RawJson`](turnkit_core::RawJson), because data of tools may be nested as deeply
/// as that allows, and the page adds levels to it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TurnPageJson(pub Box<RawValue>);

impl PartialEq for TurnPageJson {
    fn eq(&self, other: &Self) -> bool {
        self.0.get() == other.0.get()
    }
}

/// A session without its messages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Session")]
pub struct SessionBody<'a> {
    /// The id that turnkit assigned.
    pub id: SessionId,
    /// The client's name for the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub name: Option<Cow<'a, SessionName>>,
    /// The agent with which the session was created.
    pub agent: Cow<'a, str>,
    /// The title of the session.
    pub title: Cow<'a, str>,
    /// The number of turns so far.
    pub turns: u32,
    /// When the session was created.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub created_at: Timestamp,
    /// When a turn last started or ended.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub last_active: Timestamp,
    /// Whether lists begin with the session.
    #[serde(default)]
    pub pinned: bool,
    /// Whether lists leave the session out unless they are asked for archived ones.
    #[serde(default)]
    pub archived: bool,
    /// The usage of all its turns.
    pub usage: UsageBody,
    /// The cost of all its turns.
    pub cost: Cost,
    /// Values that tools and clients store, by key.
    pub metadata: Cow<'a, Map<String, Value>>,
    /// The turn that the next turn continues; absent if the next turn starts without history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<TurnId>,
    /// The name of the prompt that is appended to the agent's own, if the session selects one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Cow<'a, str>>,
    /// The sampling settings of its turns, if there are any.
    #[serde(default, skip_serializing_if = "SamplingParams::is_empty")]
    pub params: Cow<'a, SamplingParams>,
    /// `none` if its turns have no tools.
    #[serde(default, skip_serializing_if = "ToolUse::is_auto")]
    pub tools: ToolUse,
    /// The name of the mode of its turns, if the session selects one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Cow<'a, str>>,
}

/// A turn that waits for its session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "QueuedTurn")]
pub struct QueuedTurnBody<'a> {
    /// The turn.
    pub turn_id: TurnId,
    /// The turn's number in the session.
    pub number: u32,
    /// The user's message.
    pub input: Cow<'a, [Part]>,
    /// Whether the message is meant for the running turn, which takes it if it can.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub steering: bool,
}

/// The turns that wait for a session: the data of a `queue` frame, which is not an event of the log.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "QueueEvent")]
pub(super) struct Queue<'a> {
    /// The waiting turns, in the order in which they will run.
    pub(super) queue: Vec<QueuedTurnBody<'a>>,
}

impl<'a> NativeSnapshot<'a> {
    /// Returns the JSON of a snapshot.
    pub fn new(snapshot: &'a Snapshot) -> Self {
        Self {
            session: SessionBody::new(&snapshot.session),
            messages: shown::messages(&snapshot.messages),
            earlier: snapshot.earlier.map(|(turn, place)| format!("{turn}-{place}")),
            turn: snapshot.turn.as_ref().map(TurnSnapshotBody::new),
            turns: None,
            queue: Queue::new(&snapshot.queue).queue,
            cursor: snapshot.cursor,
        }
    }

    /// Returns the JSON of a snapshot that shows `turns`, a page of the session's turns, in place of messages.
    pub(super) fn of_turns(snapshot: &'a Snapshot, turns: Box<RawValue>) -> Self {
        Self {
            session: SessionBody::new(&snapshot.session),
            messages: Cow::Borrowed(&[]),
            earlier: None,
            turn: None,
            turns: Some(TurnPageJson(turns)),
            queue: Queue::new(&snapshot.queue).queue,
            cursor: snapshot.cursor,
        }
    }
}

impl<'a> SessionBody<'a> {
    /// Returns the JSON of a session.
    pub fn new(session: &'a SessionSummary) -> Self {
        Self {
            id: session.id,
            name: session.name.as_ref().map(Cow::Borrowed),
            agent: Cow::Borrowed(&session.agent),
            title: Cow::Borrowed(&session.title),
            turns: session.turns,
            created_at: session.created_at,
            last_active: session.last_active,
            pinned: session.pinned,
            archived: session.archived,
            usage: UsageBody::of(&session.usage),
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
    pub(super) fn new(queue: &'a [QueuedTurn]) -> Self {
        let turn = |turn: &'a QueuedTurn| QueuedTurnBody {
            turn_id: turn.id,
            number: turn.number,
            input: shown::parts(&turn.input.parts),
            steering: turn.steering,
        };
        Self { queue: queue.iter().map(turn).collect() }
    }
}

/// Serializes values in their text form.
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
