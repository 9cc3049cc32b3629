//! The events of a turn as clients receive them, and the entries that the log stores for them.

#[macro_use]
mod declare;
mod form;
mod kind;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use compact_str::ToCompactString;
use serde::{Deserialize, Serialize};

pub use self::kind::{ErrorScope, EventKind, Recorded};
use crate::{Cursor, Fence, IdError, Str, Timestamp, TurnKind};

/// One event of a turn as clients receive it. `seq` counts from 1 without gaps.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnEvent {
    /// The number of the event in the turn.
    pub seq: u32,
    /// The fence under which the event was written.
    pub fence: Fence,
    /// When the event happened. The pieces of a part carry the time at which their step started.
    pub at: Timestamp,
    /// The kind of the event, with its payload.
    pub kind: EventKind,
}

impl TurnEvent {
    /// Returns the cursor of the event's first frame; `turn` is the turn's number in its session.
    pub fn cursor(&self, turn: u32) -> Cursor {
        Cursor { fence: self.fence, turn, seq: self.seq, frame: 0 }
    }
}

impl Recorded {
    /// Creates the first entry of a log: a turn that `agent` answers, without further settings from the client.
    pub fn turn_started(agent: impl Into<String>) -> Self {
        let (agent, kind) = (agent.into(), TurnKind::Message);
        Self::TurnStarted {
            agent,
            parent: None,
            route: None,
            params: None,
            kind,
            tools: None,
            mode: None,
            trace: None,
            client_tools: Arc::default(),
            lineage: None,
        }
    }
}

/// The id of a part within its turn. Its text form is `step.part`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartId {
    /// The step, from 1.
    pub step: u16,
    /// The index of the part in the step's answer, from 0.
    pub part: u16,
}

impl fmt::Display for PartId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl PartId {
    /// Returns the text form. It needs no allocation, because it is written for each delta and each reader.
    fn text(self) -> Str {
        let mut text = self.step.to_compact_string();
        text.push('.');
        text.push_str(&self.part.to_compact_string());
        text
    }
}

impl FromStr for PartId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let number = |word: &str| word.parse().ok().filter(|_| word.bytes().all(|byte| byte.is_ascii_digit()));
        let id = text.split_once('.').and_then(|(step, part)| Some(Self { step: number(step)?, part: number(part)? }));
        id.ok_or(IdError { what: "part id", reason: "expected step.part" })
    }
}

impl Serialize for PartId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

impl<'de> Deserialize<'de> for PartId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
