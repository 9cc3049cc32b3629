//! The inputs of the machine.

use serde_json::{Map, Value};
use turnkit_core::{
    Answer, CallUid, DecidedWait, Message, PartialAnswer, ProviderError, SteeringMessage, ToolCall, ToolErrorKind,
    ToolResult, TurnStatus, Usage,
};

use super::{CallKind, Compaction, TitleOutcome, ToolRequest, TurnMachine};

/// The reason why a call that needs approval is denied in a session without a person to approve it.
pub(super) const NO_APPROVER: &str = "it needs approval and no person can be asked in this conversation";

/// The reason why a call that needs approval is denied in the permission mode `headless`.
pub(super) const HEADLESS: &str = "it needs approval, and the permission mode `headless` denies such calls";

/// The outcome of a step, or an event that occurred between steps.
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
        /// The error of the call.
        error: ProviderError,
        /// The output before the failure, if there was any.
        partial: Option<PartialAnswer>,
        /// The plans of the calls in `partial`.
        plans: Vec<Plan>,
        /// The first event of the attempt, if it had begun.
        since: Option<u32>,
    },
    /// The calls that were to run have finished.
    ToolsFinished(Vec<FinishedCall>),
    /// Waiting calls were decided.
    Resolved(Vec<DecidedWait>),
    /// The turn must stop: cancelled, superseded, out of time, or broken.
    Stop {
        /// The status with which the turn ends.
        status: TurnStatus,
        /// The code and text of the error to report, if the stop is an error.
        error: Option<(String, String)>,
        /// The output of the model in the running step, if there was any.
        partial: Option<PartialAnswer>,
        /// The calls of the running round that have finished.
        finished: Vec<FinishedCall>,
    },
    /// Messages, or contents of tool results, are left out of the next request.
    ViewChanged {
        /// The change that leaves them out: a summary or edits.
        change: Message,
        /// The code of the notice about the change.
        code: String,
        /// The text of the notice.
        text: String,
    },
    /// The provider rejected the request as too large. It is sent again without some messages.
    Overflowed {
        /// The summary that leaves them out.
        change: Message,
        /// The code of the notice about the change.
        code: String,
        /// The text of the notice.
        text: String,
    },
    /// A compaction has finished.
    CompactionFinished(Box<Compaction>),
    /// A compaction or a title was stopped, together with its turn.
    CompactionStopped {
        /// The status with which the turn ends.
        status: TurnStatus,
        /// The code and text of the error to report, if the stop is an error.
        error: Option<(String, String)>,
        /// The usage of the model calls made for it, if there were any.
        usage: Option<Usage>,
    },
    /// The session has no messages that a summary could replace.
    NothingToCompact,
    /// A title was written, or could not be written.
    TitleFinished(Box<TitleOutcome>),
    /// The user sent messages while the turn ran. The model reads them in the next step.
    Steered {
        /// The messages, in order.
        messages: Vec<SteeringMessage>,
        /// The place of the first message among the messages of the turn, from 0.
        first: u32,
    },
    /// The process is stopping. The next owner of the turn continues it.
    HandedOver {
        /// The model call in progress, if there was one.
        call: Option<InterruptedCall>,
        /// The calls of the running round that have finished.
        finished: Vec<FinishedCall>,
    },
    /// The turn continues under a new owner.
    Resumed(Resumption),
}

/// The state of a turn that continues under a new owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resumption {
    /// The number of this attempt at the running step, from 1.
    pub attempt: u16,
    /// How many model calls may have been in progress when an owner died. Their usage is unknown.
    pub lost_calls: u32,
    /// The limit that the turn has reached, if it fails because too many processes died while they ran it.
    pub attempt_limit_reached: Option<u16>,
    /// The last event of the turn's log.
    pub last_seq: u32,
    /// Whether a person can be asked about the outcome of calls that must not run twice.
    pub can_ask: bool,
}

/// A model call that was cut off because the process is stopping.
#[derive(Debug, Clone, PartialEq)]
pub struct InterruptedCall {
    /// The output of the model, if it had begun to answer.
    pub partial: Option<PartialAnswer>,
    /// The first event of the attempt, or the event that would follow if it had not begun.
    pub since: u32,
}

/// The plan for a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The call.
    pub uid: CallUid,
    /// How a crash affects the call.
    pub kind: CallKind,
    /// Whether the call runs.
    pub verdict: Verdict,
}

/// The decision whether a call runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The call runs.
    Run,
    /// A person must approve the call.
    Ask,
    /// The client runs the call.
    Client,
    /// The call needs approval, and no person can be asked. It is denied with this reason.
    Unapproved,
    /// The call needs approval, and the permission mode `headless` denies such calls. It is denied with this reason.
    Headless,
    /// The call does not run. The model reads the reason.
    Refuse(ToolErrorKind, String),
}

impl Verdict {
    /// Reports whether the call runs only if a person approves it, or granted it before.
    pub(crate) fn needs_approval(&self) -> bool {
        matches!(self, Self::Ask | Self::Unapproved | Self::Headless)
    }

    /// Returns why the call does not run, if it is refused.
    pub(crate) fn refusal(&self) -> Option<(ToolErrorKind, &str)> {
        match self {
            Self::Run | Self::Ask | Self::Client => None,
            Self::Unapproved => Some((ToolErrorKind::Denied, NO_APPROVER)),
            Self::Headless => Some((ToolErrorKind::Denied, HEADLESS)),
            Self::Refuse(kind, why) => Some((*kind, why)),
        }
    }
}

/// A call that has finished.
#[derive(Debug, Clone, PartialEq)]
pub struct FinishedCall {
    /// The result of the call.
    pub result: ToolResult,
    /// How long it ran, in milliseconds.
    pub ms: u64,
    /// Metadata for the session to keep.
    pub metadata: Map<String, Value>,
    /// The tool's request before the call can finish. In that case, `result` is the result if the turn stops before
    /// then.
    pub request: Option<ToolRequest>,
}

impl FinishedCall {
    /// Creates a call whose tool asks for something before it can finish.
    pub(crate) fn asking(call: &ToolCall, request: ToolRequest, ms: u64) -> Self {
        let waited = match request {
            ToolRequest::Question(_) => "an answer",
            ToolRequest::Turn(_) => "a sub-agent",
        };
        let why = format_args!("cancelled while it waited for {waited}");
        let result = ToolResult::failed(call.uid, &call.name, ToolErrorKind::Cancelled, why);
        Self { result, ms, metadata: Map::new(), request: Some(request) }
    }
}

impl Input {
    /// Returns the input for a turn that its owner continues after event `last_seq`, with no death in between.
    pub(crate) fn continued(machine: &TurnMachine, last_seq: u32) -> Self {
        let attempt = machine.attempt();
        Self::Resumed(Resumption { attempt, lost_calls: 0, attempt_limit_reached: None, last_seq, can_ask: false })
    }

    /// Converts the input for a turn that was asked to stop before the input was written. Output and results are kept.
    pub fn stopped(&self, status: TurnStatus) -> Self {
        let (partial, finished) = match self {
            Self::Answered { answer, .. } => {
                let Answer { parts, usage, cut, .. } = answer.clone();
                (Some(PartialAnswer { parts, usage: Some(usage), cut }), Vec::new())
            }
            Self::ModelFailed { partial, .. } => (partial.clone(), Vec::new()),
            Self::ToolsFinished(finished) => (None, finished.clone()),
            Self::Stop { partial, finished, .. } => (partial.clone(), finished.clone()),
            Self::HandedOver { call, finished } => {
                (call.as_ref().and_then(|call| call.partial.clone()), finished.clone())
            }
            Self::CompactionFinished(compaction) => {
                let usage = compaction.calls.as_ref().map(|calls| calls.usage.clone());
                return Self::CompactionStopped { status, error: None, usage };
            }
            Self::TitleFinished(outcome) => {
                let usage = outcome.calls.as_ref().map(|calls| calls.usage.clone());
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
