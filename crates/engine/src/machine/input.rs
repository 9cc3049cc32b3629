//! What came of a step.

use serde_json::{Map, Value};
use turnkit_core::{
    Answer, CallUid, Decision, Message, Partial, ProviderError, SteeringMessage, ToolCall, ToolErrorKind, ToolResult,
    TurnStatus, Usage,
};

use super::{Asks, CallKind, Compaction, Titled, TurnMachine};

/// Why a call that needs approval is denied in a session without a person to approve it.
pub(super) const NO_APPROVER: &str = "it needs approval and nobody can be asked in this conversation";

/// What came of a step, or what came in between.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// The model answered.
    Answered {
        /// The answer.
        answer: Answer,
        /// The plans of its calls.
        plans: Vec<Plan>,
    },
    /// The model call failed.
    ModelFailed {
        /// Why.
        error: ProviderError,
        /// What it had said by then, if anything.
        partial: Option<Partial>,
        /// The plans of the calls in `partial`.
        plans: Vec<Plan>,
        /// The first event of the attempt, if it had begun.
        since: Option<u32>,
    },
    /// The calls that were to run are over.
    ToolsFinished(Vec<Finished>),
    /// Calls that waited were decided.
    Resolved(Vec<Decision>),
    /// The turn must stop: cancelled, superseded, out of time, or broken.
    Stop {
        /// How it ends.
        status: TurnStatus,
        /// Code and sentence of the error to report, if it is one.
        error: Option<(String, String)>,
        /// What the model had said in the running step, if anything.
        partial: Option<Partial>,
        /// The calls of the running round that are over.
        finished: Vec<Finished>,
    },
    /// Messages, or contents of tool results, are left out of the next request.
    ViewChanged {
        /// The summary or the edits that leave them out.
        change: Message,
        /// Code of the notice about it.
        code: String,
        /// Its sentence.
        text: String,
    },
    /// The provider refused the request as too large: it is made again without some messages.
    Overflowed {
        /// The summary that leaves them out.
        change: Message,
        /// Code of the notice about it.
        code: String,
        /// Its sentence.
        text: String,
    },
    /// A compaction is over.
    Compacted(Box<Compaction>),
    /// A compaction, or a title, was stopped, and its turn with it.
    CompactionStopped {
        /// How the turn ends.
        status: TurnStatus,
        /// Code and sentence of the error to report, if it is one.
        error: Option<(String, String)>,
        /// What the model calls that were made for it consumed, if there were any.
        usage: Option<Usage>,
    },
    /// The session has no messages that a summary could take the place of.
    NothingToCompact,
    /// A title was written, or not.
    Titled(Box<Titled>),
    /// The user sent messages while the turn ran. The model reads them in the next step.
    Steered {
        /// The messages, in order.
        messages: Vec<SteeringMessage>,
        /// The place that the first one gets among the messages of the turn, from 0.
        first: u32,
    },
    /// The process stops: the next owner of the turn continues it.
    HandedOver {
        /// The model call that was under way, if there was one.
        call: Option<CutCall>,
        /// The calls of the running round that are over.
        finished: Vec<Finished>,
    },
    /// The turn continues under a new owner.
    Resumed(Resumption),
}

/// What is known of a turn that continues under a new owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resumption {
    /// Which attempt at the running step this is, from 1.
    pub attempt: u16,
    /// How many model calls may have been under way when an owner died. What they consumed is unknown.
    pub lost_calls: u32,
    /// The limit that the turn has reached, if it fails because too many processes died over it.
    pub given_up: Option<u16>,
    /// The last event of its log.
    pub last_seq: u32,
    /// Whether a person can be asked what became of calls that must not run twice.
    pub asks: bool,
}

/// A model call that was cut because the process stops.
#[derive(Debug, Clone, PartialEq)]
pub struct CutCall {
    /// What the model had said, if it had begun to answer.
    pub partial: Option<Partial>,
    /// The first event of the attempt, or the event that would follow if it had not begun.
    pub since: u32,
}

/// What is to become of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The call.
    pub uid: CallUid,
    /// What a crash would mean for it.
    pub kind: CallKind,
    /// Whether it runs.
    pub verdict: Verdict,
}

/// Whether a call runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It runs.
    Run,
    /// A person must approve it.
    Ask,
    /// The client runs it.
    Client,
    /// It needs approval and nobody can be asked; the model reads that.
    Unapproved,
    /// It does not run; the model reads why.
    Refuse(ToolErrorKind, String),
}

impl Verdict {
    /// Reports whether the call runs only if a person approves it, or granted it before.
    pub(crate) fn needs_approval(&self) -> bool {
        matches!(self, Self::Ask | Self::Unapproved)
    }

    /// Returns why the call does not run, if it is refused.
    pub(crate) fn refusal(&self) -> Option<(ToolErrorKind, &str)> {
        match self {
            Self::Run | Self::Ask | Self::Client => None,
            Self::Unapproved => Some((ToolErrorKind::Denied, NO_APPROVER)),
            Self::Refuse(kind, why) => Some((*kind, why)),
        }
    }
}

/// A call whose run is over.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    /// What came of it.
    pub result: ToolResult,
    /// How long it ran, in milliseconds.
    pub ms: u64,
    /// What it wants the session to remember.
    pub metadata: Map<String, Value>,
    /// What the tool asks for before the call can be over. Then `result` is the result of a turn that stops before that.
    pub asks: Option<Asks>,
}

impl Finished {
    /// A call whose tool asks for something.
    pub(crate) fn asking(call: &ToolCall, asks: Asks, ms: u64) -> Self {
        let waited = match asks {
            Asks::Question(_) => "an answer",
            Asks::Turn(_) => "a sub-agent",
        };
        let why = format_args!("cancelled while it waited for {waited}");
        let result = ToolResult::failed(call.uid, &call.name, ToolErrorKind::Cancelled, why);
        Self { result, ms, metadata: Map::new(), asks: Some(asks) }
    }
}

impl Input {
    /// The input for a turn that its owner continues after event `last_seq`, with no death in between.
    pub(crate) fn continued(machine: &TurnMachine, last_seq: u32) -> Self {
        let attempt = machine.attempt();
        Self::Resumed(Resumption { attempt, lost_calls: 0, given_up: None, last_seq, asks: false })
    }

    /// The same news for a turn that was asked to stop before the news were written: what was said and done is kept.
    pub fn stopped(&self, status: TurnStatus) -> Self {
        let (partial, finished) = match self {
            Self::Answered { answer, .. } => {
                let Answer { parts, usage, cut, .. } = answer.clone();
                (Some(Partial { parts, usage: Some(usage), cut }), Vec::new())
            }
            Self::ModelFailed { partial, .. } => (partial.clone(), Vec::new()),
            Self::ToolsFinished(finished) => (None, finished.clone()),
            Self::Stop { partial, finished, .. } => (partial.clone(), finished.clone()),
            Self::HandedOver { call, finished } => {
                (call.as_ref().and_then(|call| call.partial.clone()), finished.clone())
            }
            Self::Compacted(compaction) => {
                let usage = compaction.calls.as_ref().map(|calls| calls.usage.clone());
                return Self::CompactionStopped { status, error: None, usage };
            }
            Self::Titled(titled) => {
                let usage = titled.calls.as_ref().map(|calls| calls.usage.clone());
                return Self::CompactionStopped { status, error: None, usage };
            }
            Self::CompactionStopped { usage, .. } => {
                return Self::CompactionStopped { status, error: None, usage: usage.clone() };
            }
            Self::ViewChanged { .. }
            | Self::Overflowed { .. }
            | Self::NothingToCompact
            | Self::Steered { .. }
            | Self::Resolved(_)
            | Self::Resumed(_) => (None, Vec::new()),
        };
        Self::Stop { status, error: None, partial, finished }
    }
}
