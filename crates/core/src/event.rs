//! What happens in a turn, as everyone who follows it is told.

use std::fmt;
use std::str::FromStr;

use compact_str::ToCompactString;
use serde::{Deserialize, Serialize};

use crate::{
    Arguments, CallUid, Cursor, Fence, FinishReason, IdError, Part, PartKind, RawJson, SessionId, Str, Timestamp,
    ToolErrorKind, TurnId, TurnStatus, Usage,
};

/// One entry of a turn's log as it is shown. `seq` counts from 1 without gaps.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnEvent {
    /// Its number in the turn.
    pub seq: u32,
    /// Under whose ownership of the turn it was written.
    pub fence: Fence,
    /// When; the pieces of a part carry the moment their step started.
    pub at: Timestamp,
    /// What.
    pub kind: EventKind,
}

impl TurnEvent {
    /// What names the event to a reader; `turn` is the turn's number in its session.
    pub fn cursor(&self, turn: u32) -> Cursor {
        Cursor { fence: self.fence, turn, seq: self.seq, frame: 0 }
    }
}

/// Names a part within its turn; its text form is `step.part`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartId {
    /// The step, from 1.
    pub step: u16,
    /// The part of the step's answer, from 0.
    pub part: u16,
}

impl fmt::Display for PartId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl PartId {
    /// Its text form, which needs no allocation: each delta of each reader has one.
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
        id.ok_or(IdError { what: "part id", why: "expected step.part" })
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

/// What an error is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorScope {
    /// The turn cannot go on as it was asked to.
    Turn,
    /// A tool.
    Tool,
    /// A provider.
    Provider,
}

/// What happened.
#[derive(Debug, Clone, PartialEq)]
pub enum EventKind {
    /// The turn was accepted. Always `seq` 1.
    TurnStarted {
        /// Its session.
        session: SessionId,
        /// The agent that answers.
        agent: String,
        /// What the user said.
        input: Vec<Part>,
        /// The turn that asked for this one, for sub-agents.
        parent: Option<TurnId>,
    },
    /// A model call began to answer.
    StepStarted {
        /// The step, from 1.
        step: u16,
        /// Who answers.
        provider: Str,
        /// With which model.
        model: Str,
    },
    /// A part of the answer begins.
    PartStarted {
        /// The part.
        id: PartId,
        /// What it will be.
        kind: PartKind,
        /// The tool's name, for a call.
        name: Option<Str>,
    },
    /// A part grows.
    PartDelta {
        /// The part.
        id: PartId,
        /// What is added.
        text: Str,
    },
    /// A part is whole.
    PartEnded {
        /// The part.
        id: PartId,
        /// All of it.
        part: Part,
    },
    /// A model call is over.
    StepEnded {
        /// The step.
        step: u16,
        /// Why the model stopped.
        finish: FinishReason,
        /// What the call consumed.
        usage: Usage,
    },
    /// A tool call is about to run.
    ToolStarted {
        /// The call.
        uid: CallUid,
        /// The tool.
        name: String,
        /// What it is given.
        arguments: Arguments,
    },
    /// A tool call is over, run or not.
    ToolFinished {
        /// The call.
        uid: CallUid,
        /// The tool.
        name: String,
        /// Whether it succeeded.
        ok: bool,
        /// What the model reads.
        content: String,
        /// What kind of failure.
        error: Option<ToolErrorKind>,
        /// How long it ran, in milliseconds.
        ms: u64,
    },
    /// Data from a tool for the client.
    Data {
        /// The call it came from.
        uid: CallUid,
        /// What the payload is.
        kind: String,
        /// The payload.
        payload: RawJson,
    },
    /// Something the user should know.
    Notice {
        /// A word for programs.
        code: String,
        /// A sentence for people.
        text: String,
    },
    /// Events from `from_seq` on that were shown and are not in the log do not count: their attempt is redone.
    Retracted {
        /// The first event that does not count.
        from_seq: u32,
        /// Which attempt follows.
        attempt: u16,
        /// How many model calls were lost with it: what they consumed is unknown.
        lost_calls: u32,
    },
    /// Something went wrong.
    Error {
        /// A word for programs.
        code: String,
        /// A sentence for people.
        message: String,
        /// Whether trying again may help.
        retryable: bool,
        /// What it is about.
        scope: ErrorScope,
    },
    /// The turn is over. Always last, always exactly one.
    TurnEnded {
        /// How.
        status: TurnStatus,
        /// All visible text of the turn.
        text: String,
        /// What the turn consumed.
        usage: Usage,
        /// How many model calls it took.
        steps: u16,
    },
}

impl EventKind {
    /// The event's public name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::TurnStarted { .. } => "turn.started",
            Self::StepStarted { .. } => "step.started",
            Self::PartStarted { .. } => "part.started",
            Self::PartDelta { .. } => "part.delta",
            Self::PartEnded { .. } => "part.ended",
            Self::StepEnded { .. } => "step.ended",
            Self::ToolStarted { .. } => "tool.started",
            Self::ToolFinished { .. } => "tool.finished",
            Self::Data { .. } => "data",
            Self::Notice { .. } => "notice",
            Self::Retracted { .. } => "retracted",
            Self::Error { .. } => "error",
            Self::TurnEnded { .. } => "turn.ended",
        }
    }

    /// Whether this is the terminal event.
    pub fn is_terminal(&self) -> bool {
        matches!(self, Self::TurnEnded { .. })
    }
}
