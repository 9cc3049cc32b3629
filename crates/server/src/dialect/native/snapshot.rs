//! A session as it stands, as JSON: the data of a `resync` frame.

use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use turnkit_core::ports::SessionSummary;
use turnkit_core::{
    CallUid, Cost, Cursor, Message, Part, PartId, PartKind, QueuedTurn, SessionId, SessionName, Snapshot, Timestamp,
    ToolErrorKind, TurnId, TurnSoFar, TurnStatus,
};

use super::shown;
use super::usage::UsageJson;

/// All that a page needs to draw a session, and where to go on from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    pub cursor: Cursor,
}

/// A session without what was said in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionJson<'a> {
    /// Our id.
    pub id: SessionId,
    /// The client's name for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<Cow<'a, SessionName>>,
    /// The agent it was begun with.
    pub agent: Cow<'a, str>,
    /// What it is about.
    pub title: Cow<'a, str>,
    /// How many turns it has had.
    pub turns: u32,
    /// When it was made.
    pub created_at: Timestamp,
    /// When a turn last began or ended.
    pub last_active: Timestamp,
    /// What all its turns consumed.
    pub usage: UsageJson,
    /// What that cost.
    pub cost: Cost,
    /// What tools and clients remember, by key.
    pub metadata: Cow<'a, Map<String, Value>>,
}

/// A turn with what its events up to now add up to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnSoFarJson<'a> {
    /// Which.
    pub turn_id: TurnId,
    /// Its number in the session.
    pub number: u32,
    /// The last event in it.
    pub seq: u32,
    /// What the user said.
    pub input: Cow<'a, [Part]>,
    /// What the model said, in order.
    pub parts: Vec<PartJson<'a>>,
    /// The calls that were started, in order.
    pub tools: Vec<ToolJson<'a>>,
    /// Notices and errors, in order.
    pub remarks: Vec<RemarkJson<'a>>,
    /// How it ended, once it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<TurnStatus>,
}

/// A part, whole or still growing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PartJson<'a> {
    /// Which.
    pub part_id: PartId,
    /// What it is.
    pub r#type: PartKind,
    /// The tool's name, for a call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<Cow<'a, str>>,
    /// Its text so far.
    pub text: Cow<'a, str>,
    /// Whether it is whole.
    pub ended: bool,
    /// The event it began with; a later `retracted` takes it back if it began at `from_seq` or after.
    pub since: u32,
}

/// A call that was started.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolJson<'a> {
    /// Which.
    pub call_id: CallUid,
    /// The tool.
    pub name: Cow<'a, str>,
    /// Whether it succeeded, once it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ok: Option<bool>,
    /// What the model reads, once it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Cow<'a, str>>,
    /// What kind of failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ToolErrorKind>,
    /// The event it began with.
    pub since: u32,
}

/// A notice or an error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RemarkJson<'a> {
    /// A word for programs.
    pub code: Cow<'a, str>,
    /// A sentence for people.
    pub text: Cow<'a, str>,
    /// Its event.
    pub since: u32,
}

/// A turn that waits for its session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QueuedTurnJson<'a> {
    /// Which.
    pub turn_id: TurnId,
    /// Its number in the session.
    pub number: u32,
    /// What the user said.
    pub input: Cow<'a, [Part]>,
}

/// The data of a `queue` frame.
#[derive(Serialize, Deserialize)]
pub(super) struct Queue<'a> {
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
        }
    }
}

impl<'a> TurnSoFarJson<'a> {
    fn of(turn: &'a TurnSoFar) -> Self {
        let view = &turn.view;
        let parts = view.parts.iter().map(|part| PartJson {
            part_id: part.id,
            r#type: part.kind,
            name: part.name.as_deref().map(Cow::Borrowed),
            text: Cow::Borrowed(&part.text),
            ended: part.ended,
            since: part.since,
        });
        let tools = view.tools.iter().map(|tool| {
            let (ok, content, error) = match &tool.outcome {
                Some((ok, content, error)) => (Some(*ok), Some(Cow::Borrowed(content.as_str())), *error),
                None => (None, None, None),
            };
            ToolJson { call_id: tool.uid, name: Cow::Borrowed(&tool.name), ok, content, error, since: tool.since }
        });
        let remarks = view.remarks.iter().map(|remark| RemarkJson {
            code: Cow::Borrowed(&remark.code),
            text: Cow::Borrowed(&remark.text),
            since: remark.since,
        });
        Self {
            turn_id: turn.id,
            number: turn.number,
            seq: view.seq,
            input: shown::parts(&view.input),
            parts: parts.collect(),
            tools: tools.collect(),
            remarks: remarks.collect(),
            status: view.status,
        }
    }
}

impl<'a> Queue<'a> {
    pub(super) fn of(queue: &'a [QueuedTurn]) -> Self {
        let turn = |turn: &'a QueuedTurn| QueuedTurnJson {
            turn_id: turn.id,
            number: turn.number,
            input: shown::parts(&turn.input.parts),
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
