//! What a turn waits for, and how that is decided.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::{
    Arguments, BlobId, CallUid, ChildPlace, ChildReport, GrantScope, Grantable, IdError, SessionId, StopReason,
    Timestamp, ToolQuestion, TurnStatus,
};

/// A call that waits for a decision, as the owner of its turn stores it. It is stored before any client sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewWait {
    /// Its identity.
    pub id: WaitId,
    /// Who decides, and about what.
    pub kind: WaitKind,
    /// What the person or program that decides is shown.
    pub question: WaitQuestion,
    /// SHA-256 of what is decided: the tool with its schema, and the canonical arguments. A call is run only while it is
    /// the same.
    pub binding: [u8; 32],
    /// When the wait expires. The call is then denied.
    pub expires_at: Timestamp,
}

/// Identity of a wait, derived from its place in the turn: one call may wait more than once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WaitId {
    /// The call that waits.
    pub call: CallUid,
    /// How often the call waited before.
    pub number: u16,
}

impl NewWait {
    /// Returns the decision of this wait.
    pub fn decided(&self, resolution: Resolution) -> Decision {
        Decision { id: self.id, resolution, binding: self.binding }
    }
}

/// Who decides a wait, and about what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaitKind {
    /// A person decides whether a call runs.
    Approval,
    /// A person decides what became of a call that a process was running when it died.
    Outcome,
    /// A person answers a question of a tool.
    Question,
    /// The client runs a tool of its own and reports the result.
    ClientTool,
    /// The turn of a sub-agent ends. No person decides it.
    Child,
}

/// What the person or program that decides a wait is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitQuestion {
    /// The tool.
    pub name: String,
    /// What the model passes, as it wrote it.
    pub arguments: Arguments,
    /// Why the call does not run without a decision, as a sentence.
    pub reason: String,
    /// What the call would do, for people: a difference of two texts, an address, a command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    /// What the tool asks, if it asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Box<ToolQuestion>>,
    /// What an approval can grant later calls; `None` if nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grantable: Option<Grantable>,
    /// The turn of the sub-agent that the call waits for, if it waits for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub child: Option<Box<ChildPlace>>,
}

/// How a wait was decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    /// The call runs.
    Approved {
        /// What it runs with, if not with what the model passed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        arguments: Option<Arguments>,
        /// What the person says to the model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
        /// Which later calls run too, besides this one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        grant: Option<GrantScope>,
    },
    /// The call does not run.
    Denied {
        /// Who or what denied it.
        by: Denial,
        /// What the person says to the model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// A person knows what became of the call.
    Outcome {
        /// What became of it.
        outcome: KnownOutcome,
        /// What the person says to the model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// A person answered the question of the tool.
    Answered {
        /// The answer.
        answer: Value,
    },
    /// The client ran its tool.
    Returned {
        /// Whether the tool succeeded.
        ok: bool,
        /// What the model reads.
        content: String,
        /// Present if the content was too long for the model. No client says this.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shortened: Option<Shortened>,
    },
    /// The turn of the sub-agent is over.
    Child(Box<ChildReport>),
}

impl Resolution {
    /// The decision that the call runs with what the model passed.
    pub const APPROVED: Self = Self::Approved { arguments: None, note: None, grant: None };

    /// Returns a person's decision that the call does not run, with what the model reads about it.
    pub fn denied(note: Option<String>) -> Self {
        Self::Denied { by: Denial::Person, note }
    }

    /// Returns the result of a client's tool, with what the model reads.
    pub fn returned(ok: bool, content: impl Into<String>) -> Self {
        Self::Returned { ok, content: content.into(), shortened: None }
    }

    /// How many bytes of text it holds.
    pub(crate) fn text_bytes(&self) -> usize {
        let (arguments, note) = match self {
            Self::Approved { arguments, note, .. } => (arguments.as_ref(), note),
            Self::Denied { note, .. } | Self::Outcome { note, .. } => (None, note),
            Self::Answered { answer } => return answer.to_string().len(),
            Self::Returned { content, .. } => return content.len(),
            Self::Child(report) => return report.text.len(),
        };
        arguments.map_or(0, |arguments| arguments.0.len()) + note.as_ref().map_or(0, String::len)
    }

    /// Reports whether this is a decision that a person or program may make about a wait of this kind.
    pub fn fits(&self, kind: WaitKind) -> bool {
        match self {
            Self::Approved { .. } => kind == WaitKind::Approval,
            Self::Denied { .. } => kind != WaitKind::Child,
            Self::Outcome { .. } => kind == WaitKind::Outcome,
            Self::Answered { .. } => kind == WaitKind::Question,
            Self::Returned { .. } => kind == WaitKind::ClientTool,
            Self::Child(_) => false,
        }
    }
}

/// What became of a result that was too long for the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Shortened {
    /// The file with the whole result, if it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub kept: Option<BlobId>,
}

/// Who or what denied a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Denial {
    /// A person.
    Person,
    /// The wait expired without a decision.
    Expired,
    /// Its turn gave way to another message.
    Superseded,
    /// Its turn was cancelled.
    Cancelled,
    /// The client cannot be asked.
    Headless,
}

/// What became of a call that a process was running when it died.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KnownOutcome {
    /// It had no effect, or may have it twice: the call runs again.
    Retry,
    /// It took effect.
    Done,
    /// It took no effect, and is not tried again.
    Failed,
}

/// A wait as the store has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wait {
    /// Its identity.
    pub id: WaitId,
    /// The session of its turn.
    pub session: SessionId,
    /// Who decides, and about what.
    pub kind: WaitKind,
    /// What the person or program that decides is shown.
    pub question: WaitQuestion,
    /// When the turn began to wait for it.
    pub created_at: Timestamp,
    /// When it counts as denied.
    pub expires_at: Timestamp,
    /// How and when it was decided.
    pub decided: Option<(Resolution, Timestamp)>,
}

/// A decision as the owner of the turn takes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// What was decided.
    pub id: WaitId,
    /// How.
    pub resolution: Resolution,
    /// What [`NewWait::binding`] was.
    pub binding: [u8; 32],
}

/// What became of a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolved {
    /// It counts.
    Decided {
        /// Whether its turn waits for nothing more: it can be claimed now.
        ready: bool,
    },
    /// The same decision was stored before.
    Repeated,
    /// Another decision was stored before.
    DecidedOtherwise(Resolution),
    /// The turn does not wait for it any more: it expired, or its turn has ended or is to stop.
    TooLate,
}

/// Waits that expired.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Expired {
    /// The turns that wait for nothing more: they can be claimed now.
    pub ready: Vec<crate::TurnId>,
    /// When the next one expires, if one is pending.
    pub next: Option<Timestamp>,
}

impl Denial {
    /// Who denies what a turn waits for when the turn is asked to stop.
    pub fn of_stop(reason: StopReason) -> Self {
        match reason {
            StopReason::Cancelled => Self::Cancelled,
            StopReason::Superseded => Self::Superseded,
        }
    }

    /// Who denies what a turn still waits for when it ends.
    pub fn of_end(status: TurnStatus) -> Self {
        match status {
            TurnStatus::Interrupted => Self::Superseded,
            TurnStatus::Expired => Self::Expired,
            TurnStatus::Completed | TurnStatus::Failed | TurnStatus::Cancelled | TurnStatus::Limit => Self::Cancelled,
        }
    }
}

impl Resolution {
    /// Reports whether a person decided. Expiry and the end of a turn also deny calls.
    pub fn is_decision(&self) -> bool {
        !matches!(self, Self::Denied { by, .. } if *by != Denial::Person)
    }
}

impl fmt::Display for WaitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.call, self.number)
    }
}

impl FromStr for WaitId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let error = || IdError { what: "interaction id", why: "expected turn.step.ordinal.number" };
        let (call, number) = text.rsplit_once('.').ok_or_else(error)?;
        let digits = number.bytes().all(|byte| byte.is_ascii_digit());
        let number = number.parse().ok().filter(|_| digits).ok_or_else(error)?;
        Ok(Self { call: call.parse().map_err(|_| error())?, number })
    }
}

impl Serialize for WaitId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for WaitId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
