//! Waits: pending interactions of a turn, and their resolutions.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::{
    Arguments, BlobId, CallUid, ChildId, ChildReport, GrantScope, Grantable, IdError, SessionId, StopReason, Timestamp,
    ToolQuestion, TurnId, TurnStatus,
};

/// A new wait: a call that needs a decision, as the turn's owner stores it. It is stored before any client sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewWait {
    /// The id of the wait.
    pub id: WaitId,
    /// The kind of resolution that is needed.
    pub kind: WaitKind,
    /// The question for the person or program that decides.
    pub question: WaitQuestion,
    /// SHA-256 of what the resolution is about: the tool with its schema, and the canonical arguments. A call runs only
    /// if the hash is unchanged.
    pub binding: [u8; 32],
    /// When the wait expires. The call is then denied.
    pub expires_at: Timestamp,
}

/// The id of a wait. It is derived from the wait's position in the turn, because one call may wait more than once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WaitId {
    /// The call that waits.
    pub call: CallUid,
    /// The number of earlier waits of the call.
    pub number: u16,
}

impl NewWait {
    /// Returns this wait as decided by this resolution.
    pub fn decided(&self, resolution: Resolution) -> DecidedWait {
        DecidedWait { id: self.id, resolution, binding: self.binding }
    }
}

/// The kind of resolution that a wait needs, and who gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaitKind {
    /// A person decides whether a call runs.
    Approval,
    /// A person decides the outcome of a call that was running when its process died.
    Outcome,
    /// A person answers a question of a tool.
    Question,
    /// The client runs one of its own tools and returns the result.
    ClientTool,
    /// The sub-agent turn ends. No person decides this wait.
    Child,
}

/// The question for the person or program that decides a wait.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitQuestion {
    /// The tool.
    pub name: String,
    /// The arguments as the model wrote them.
    pub arguments: Arguments,
    /// The reason why the call needs a decision, as a sentence.
    pub reason: String,
    /// A preview of the call's effect, for people: a diff, an address, a command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    /// The question of the tool, if it asks one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Box<ToolQuestion>>,
    /// The grants that an approval can give; `None` if it can give none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grantable: Option<Grantable>,
    /// The sub-agent turn that the call waits for, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub child: Option<Box<ChildId>>,
}

/// The resolution of a wait.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    /// The call runs.
    Approved {
        /// The arguments to run with, if they differ from the model's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        arguments: Option<Arguments>,
        /// A note from the person to the model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
        /// Which later calls also run without approval.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        grant: Option<GrantScope>,
    },
    /// The call does not run.
    Denied {
        /// The person or event that denied the call.
        by: Denial,
        /// A note from the person to the model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// A person reported the outcome of the call.
    Outcome {
        /// The reported outcome.
        outcome: KnownOutcome,
        /// A note from the person to the model.
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
        /// The content that the model reads.
        content: String,
        /// Present if the content was too long for the model. Clients never send this.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shortened: Option<Shortening>,
    },
    /// The sub-agent turn ended.
    Child(Box<ChildReport>),
}

impl Resolution {
    /// The approval of a call with the model's own arguments.
    pub const APPROVED: Self = Self::Approved { arguments: None, note: None, grant: None };

    /// Creates a person's denial of a call, with a note to the model.
    pub fn denied(note: Option<String>) -> Self {
        Self::Denied { by: Denial::Person, note }
    }

    /// Creates the result of a client's tool, with the content that the model reads.
    pub fn returned(ok: bool, content: impl Into<String>) -> Self {
        Self::Returned { ok, content: content.into(), shortened: None }
    }

    /// Returns the number of bytes of text in the resolution.
    pub(crate) fn text_bytes(&self) -> usize {
        let (arguments, note) = match self {
            Self::Approved { arguments, note, .. } => (arguments.as_ref(), note),
            Self::Denied { note, .. } | Self::Outcome { note, .. } => (None, note),
            Self::Answered { answer } => return answer.to_string().len(),
            Self::Returned { content, .. } => return content.len(),
            Self::Child(report) => return report.text_bytes(),
        };
        arguments.map_or(0, |arguments| arguments.0.len()) + note.as_ref().map_or(0, String::len)
    }

    /// Reports whether a person or program may resolve a wait of this kind in this way.
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

/// How a result was shortened that was too long for the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Shortened")]
pub struct Shortening {
    /// The file with the full result, if it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub kept: Option<BlobId>,
}

/// The person or event that denied a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Denial {
    /// A person.
    Person,
    /// The wait expired without a resolution.
    Expired,
    /// The turn was superseded by another message.
    Superseded,
    /// The turn was cancelled.
    Cancelled,
    /// The client cannot answer interactions.
    Headless,
}

/// The outcome of a call that was running when its process died, as reported by a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KnownOutcome {
    /// The call had no effect, or its effect may be repeated. It runs again.
    Retry,
    /// The call took effect.
    Done,
    /// The call had no effect and does not run again.
    Failed,
}

/// A wait in its stored form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wait {
    /// The id of the wait.
    pub id: WaitId,
    /// The session of the turn.
    pub session: SessionId,
    /// The turn that waits for the turn, if that is the turn of a sub-agent.
    pub parent: Option<TurnId>,
    /// The kind of resolution that is needed.
    pub kind: WaitKind,
    /// The question for the person or program that decides.
    pub question: WaitQuestion,
    /// When the wait began.
    pub created_at: Timestamp,
    /// When the undecided wait counts as denied.
    pub expires_at: Timestamp,
    /// The resolution and when it was made, if the wait was decided.
    pub decided: Option<(Resolution, Timestamp)>,
}

/// A wait with its resolution, as the owner of the turn receives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecidedWait {
    /// The id of the wait.
    pub id: WaitId,
    /// The resolution of the wait.
    pub resolution: Resolution,
    /// The [`NewWait::binding`] of the wait.
    pub binding: [u8; 32],
}

/// The outcome of resolving a wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResolveOutcome {
    /// The resolution was stored and takes effect.
    Decided {
        /// Whether the turn has no other pending waits, so that it can be claimed now.
        ready: bool,
    },
    /// The same resolution was stored before.
    Repeated,
    /// Another resolution was stored before.
    AlreadyResolved(Resolution),
    /// The wait is no longer pending: it expired, or its turn has ended or is to stop.
    TooLate,
}

/// The outcome of expiring waits.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExpiryOutcome {
    /// The turns that have no more pending waits, so that they can be claimed now.
    pub ready: Vec<TurnId>,
    /// The sessions of the turns whose waits were denied, whether the turns can be claimed or not. A session may occur
    /// more than once.
    pub sessions: Vec<SessionId>,
    /// When the next pending wait expires, if any.
    pub next: Option<Timestamp>,
}

impl Denial {
    /// Returns the denial for the pending waits of a turn that is asked to stop.
    pub fn of_stop(reason: StopReason) -> Self {
        match reason {
            StopReason::Cancelled => Self::Cancelled,
            StopReason::Superseded => Self::Superseded,
        }
    }

    /// Returns the denial for the pending waits of a turn that ends.
    pub fn of_end(status: TurnStatus) -> Self {
        match status {
            TurnStatus::Interrupted => Self::Superseded,
            TurnStatus::Expired => Self::Expired,
            TurnStatus::Completed | TurnStatus::Failed | TurnStatus::Cancelled | TurnStatus::Limit => Self::Cancelled,
        }
    }
}

impl Resolution {
    /// Returns `true` if a person decided. Calls are also denied on expiry and at the end of a turn.
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
        let error = || IdError { what: "interaction id", reason: "expected turn.step.ordinal.number" };
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
