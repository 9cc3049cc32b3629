//! Where a turn stands between two boundaries.

use serde::{Deserialize, Serialize};
use turnkit_core::{
    Arguments, CallUid, ChildTurn, RawJson, Reply, Shortened, ToolErrorKind, ToolFlags, ToolQuestion, TurnStatus,
    WaitKind,
};

use super::binding::Binding;
use super::is_default;

/// Where a turn stands. Calling the model is `Ready` with work in flight, not a state: it leaves no trace until it is over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    /// The model is to be asked.
    Ready,
    /// The model asked for calls.
    Tools { calls: Vec<Call> },
    /// It is over.
    Ended { status: TurnStatus },
}

/// One call of the running round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Call {
    pub(super) uid: CallUid,
    pub(super) name: String,
    pub(super) kind: CallKind,
    pub(super) status: CallStatus,
    /// Whether a receipt says that it was started.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) receipt: bool,
    /// How often it was to be decided.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) waits: u16,
    /// What a person approved of it, and said to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) approval: Option<Box<Approval>>,
    /// The hash of its name and arguments.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) fingerprint: u64,
    /// What its tool asked for last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) asked: Option<Box<Asked>>,
}

/// What a tool cannot finish its call without.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asks {
    /// The answer of a person.
    Question(Box<ToolQuestion>),
    /// The turn of a sub-agent.
    Turn(Box<ChildTurn>),
}

impl Asks {
    /// What the call waits for.
    pub(super) fn kind(&self) -> WaitKind {
        match self {
            Self::Question(_) => WaitKind::Question,
            Self::Turn(_) => WaitKind::Child,
        }
    }

    /// What the tool gets back.
    pub(super) fn state(&self) -> Option<&RawJson> {
        match self {
            Self::Question(question) => question.state.as_ref(),
            Self::Turn(turn) => turn.state.as_ref(),
        }
    }
}

/// What a tool asked for, and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Asked {
    pub(super) asks: Asks,
    /// Absent while the call waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reply: Option<Reply>,
}

/// What a person approved of a call, and said to it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Approval {
    /// What was approved, or what is to run again; absent if no person was asked whether the call runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) binding: Option<Binding>,
    /// What the call runs with, if not with what the model passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) arguments: Option<Arguments>,
    /// What the person says to the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
}

/// What a crash means for a call that was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallKind {
    /// It changes nothing: it runs again.
    ReadOnly,
    /// Repeating it changes nothing more: it runs again, with the same key.
    Idempotent,
    /// It must not run twice: its outcome is unknown.
    Once,
}

impl CallKind {
    /// The kind a tool's flags say.
    pub fn of(flags: ToolFlags) -> Self {
        match flags {
            ToolFlags { read_only: true, .. } => Self::ReadOnly,
            ToolFlags { idempotent: true, .. } => Self::Idempotent,
            _ => Self::Once,
        }
    }
}

/// Where a call stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum CallStatus {
    /// It is to be decided.
    Waiting(WaitKind),
    /// It may run, or may have run.
    Started,
    /// It does not run; the model reads why.
    Refused { kind: ToolErrorKind, why: String },
    /// A person says that it took effect. The model reads that.
    TookEffect { content: String },
    /// The client ran it. The model reads what came of it.
    Returned {
        ok: bool,
        content: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shortened: Option<Shortened>,
    },
    /// Its result is in the transcript.
    Done,
}

pub(super) fn refused(kind: ToolErrorKind, why: &str) -> CallStatus {
    CallStatus::Refused { kind, why: why.to_owned() }
}
