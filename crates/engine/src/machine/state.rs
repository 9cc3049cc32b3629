//! The state of a turn between two boundaries.

use serde::{Deserialize, Serialize};
use turnkit_core::{
    Arguments, CallUid, ChildTurn, RawJson, Reply, Shortening, ToolErrorKind, ToolFlags, ToolQuestion, TurnStatus,
    WaitKind,
};

use super::binding::Binding;
use super::is_default;

/// The state of a turn. A model call in progress is `Ready`, not a separate state: it leaves no trace until it has
/// finished.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    /// The model is to be called.
    Ready,
    /// The model requested calls.
    Tools { calls: Vec<Call> },
    /// The turn has ended.
    Ended { status: TurnStatus },
}

/// One call of the running round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Call {
    pub(super) uid: CallUid,
    pub(super) name: String,
    pub(super) kind: CallKind,
    pub(super) status: CallStatus,
    /// Whether a receipt records that the call was started.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) receipt: bool,
    /// How often the call has waited for a decision.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) waits: u16,
    /// A person's approval of the call, with a note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) approval: Option<Box<Approval>>,
    /// The hash of the call's name and arguments.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) fingerprint: u64,
    /// The last request of the call's tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) asked: Option<Box<PendingToolRequest>>,
}

/// A request of a tool that it cannot finish its call without.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolRequest {
    /// The answer of a person.
    Question(Box<ToolQuestion>),
    /// The turn of a sub-agent.
    Turn(Box<ChildTurn>),
}

impl ToolRequest {
    /// Returns the kind of wait that the request needs.
    pub(super) fn kind(&self) -> WaitKind {
        match self {
            Self::Question(_) => WaitKind::Question,
            Self::Turn(_) => WaitKind::Child,
        }
    }

    /// Returns the state that the tool gets back.
    pub(super) fn state(&self) -> Option<&RawJson> {
        match self {
            Self::Question(question) => question.state.as_ref(),
            Self::Turn(turn) => turn.state.as_ref(),
        }
    }
}

/// A request of a tool, and the reply to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct PendingToolRequest {
    #[serde(rename = "asks")]
    pub(super) request: ToolRequest,
    /// Absent while the call waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reply: Option<Reply>,
}

/// A person's approval of a call, with changed arguments and a note.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Approval {
    /// The binding of what was approved, or of what is to run again; absent if no person was asked whether the call
    /// runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) binding: Option<Binding>,
    /// The arguments that the call runs with, if they differ from those of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) arguments: Option<Arguments>,
    /// The person's note to the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
}

/// How a crash affects a call that was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallKind {
    /// The call changes nothing, so it runs again.
    ReadOnly,
    /// Repeating the call changes nothing more, so it runs again, with the same key.
    Idempotent,
    /// The call must not run twice, so its outcome is unknown.
    Once,
}

impl CallKind {
    /// Returns the kind that a tool's flags declare.
    pub fn from_flags(flags: ToolFlags) -> Self {
        match flags {
            ToolFlags { read_only: true, .. } => Self::ReadOnly,
            ToolFlags { idempotent: true, .. } => Self::Idempotent,
            _ => Self::Once,
        }
    }
}

/// The status of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum CallStatus {
    /// The call is to be decided.
    Waiting(WaitKind),
    /// The call may run, or may have run.
    Started,
    /// The call does not run. The model reads the reason.
    Refused { kind: ToolErrorKind, why: String },
    /// A person reported that the call took effect. The model reads that.
    TookEffect { content: String },
    /// The client ran the call. The model reads its result.
    Returned {
        ok: bool,
        content: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shortened: Option<Shortening>,
    },
    /// The result of the call is in the transcript.
    Done,
}

pub(super) fn refused(kind: ToolErrorKind, why: &str) -> CallStatus {
    CallStatus::Refused { kind, why: why.to_owned() }
}
