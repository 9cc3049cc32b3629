//! The view of a turn for display. It is built from the turn's events or, once its log has been removed, from its
//! messages.

mod from_events;
mod from_messages;
mod outline;

use crate::{
    Arguments, CallUid, Data, FailedAttempt, FinishReason, Image, InteractionRequest, InteractionResolution, Part,
    PartId, PartKind, Str, Timestamp, ToolErrorKind, TraceId, TurnId, TurnStatus, Usage,
};

/// The data that a page needs to draw a turn. Once the turn's log has been removed, a part of it is left:
/// [`without_log`](Self::without_log) is all that messages hold, and [`outline`](Self::outline) is kept beside them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TurnView {
    /// The number of the last applied event; 0 in a view of messages.
    pub seq: u32,
    /// The agent that answers.
    pub agent: String,
    /// When the turn was accepted.
    pub accepted_at: Option<Timestamp>,
    /// When the turn ended.
    pub ended_at: Option<Timestamp>,
    /// The user's message.
    pub input: Vec<Part>,
    /// The messages that the user sent during the turn, in order.
    pub steered: Vec<SteeredView>,
    /// The model calls that began to answer, in order.
    pub steps: Vec<StepView>,
    /// When the wait for the next answer began: when the turn was accepted, or when the last answer, tool call or
    /// compaction ended. Absent while the model answers, and once the turn has ended.
    pub waiting_since: Option<Timestamp>,
    /// The parts of the model's answers, in order.
    pub parts: Vec<PartView>,
    /// The calls that ran or were refused, in the order in which the model made them.
    pub tools: Vec<ToolView>,
    /// The interactions that calls waited for, in order. They are known only from the log.
    pub waits: Vec<WaitView>,
    /// Notices and errors, in order.
    pub remarks: Vec<RemarkView>,
    /// The usage of the turn. It is known once the turn has ended, unless the turn never began.
    pub usage: Option<Usage>,
    /// How the turn ended, once it has.
    pub status: Option<TurnStatus>,
    /// The turn that took the message, if another turn did. This turn then never began.
    pub steered_into: Option<TurnId>,
    /// The trace that the turn belongs to; absent before the first event.
    pub trace: Option<TraceId>,
}

/// A message that the user sent during the turn.
#[derive(Debug, Clone, PartialEq)]
pub struct SteeredView {
    /// The turn that the message was accepted as; absent in a view of messages.
    pub turn: Option<TurnId>,
    /// The user's message.
    pub input: Vec<Part>,
    /// The step whose calls had ended when the message became part of the turn; 0 if no calls had been made. The model
    /// reads the message in a later step.
    pub after_step: u16,
    /// The number of the event; 0 in a view of messages.
    pub since: u32,
}

/// One model call of a turn. The times are known only from the log. The provider, the model, the finish reason and the
/// usage are known from the log or its outline.
#[derive(Debug, Clone, PartialEq)]
pub struct StepView {
    /// The step, from 1.
    pub step: u16,
    /// The provider that answers.
    pub provider: Option<Str>,
    /// The model that answers.
    pub model: Option<Str>,
    /// Why the model stopped, once it has.
    pub finish: Option<FinishReason>,
    /// The usage of the call, once it has ended.
    pub usage: Option<Usage>,
    /// When the model began to answer.
    pub began_at: Option<Timestamp>,
    /// The time until the answer began, in milliseconds, since the turn was accepted, or since the last answer, tool
    /// call or compaction ended. It includes failed attempts and time in a queue.
    pub first_ms: Option<u64>,
    /// The duration of the answer in milliseconds, once it has ended.
    pub ms: Option<u64>,
    /// The attempts that failed before the one that answered, in order. They are known once the call has ended, from
    /// the log or its outline.
    pub attempts: Vec<FailedAttempt>,
    /// The number of the event that began the step; 0 in a view of messages.
    pub since: u32,
}

/// A part of an answer, complete or still growing.
#[derive(Debug, Clone, PartialEq)]
pub struct PartView {
    /// The id of the part.
    pub id: PartId,
    /// The type of the part.
    pub kind: PartKind,
    /// The tool's name, for a call.
    pub name: Option<Str>,
    /// The text so far.
    pub text: String,
    /// Whether the part is complete.
    pub ended: bool,
    /// The number of the event that began the part; 0 in a view of messages.
    pub since: u32,
}

/// A call that ran or was refused.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolView {
    /// The id of the call.
    pub uid: CallUid,
    /// The name of the tool.
    pub name: String,
    /// The arguments that the call ran with, as the model wrote them or as a person changed them; in a view of
    /// messages, as the model wrote them.
    pub arguments: Arguments,
    /// Additional data for the client.
    pub data: Option<Data>,
    /// The images that the model sees beside the content.
    pub images: Vec<Image>,
    /// The outcome of the call: whether it succeeded, the content that the model reads, and the kind of failure.
    pub outcome: Option<(bool, String, Option<ToolErrorKind>)>,
    /// How long the call ran, in milliseconds, once it has ended. It is known from the log or its outline.
    pub ms: Option<u64>,
    /// The number of the event that began the call; 0 in a view of messages.
    pub since: u32,
}

/// An interaction that a call waits for, or waited for.
#[derive(Debug, Clone, PartialEq)]
pub struct WaitView {
    /// The decision that is needed.
    pub request: Box<InteractionRequest>,
    /// The resolution, once the turn has continued with it.
    pub decided: Option<Box<InteractionResolution>>,
    /// The number of the event that began the wait.
    pub since: u32,
}

/// A notice or an error.
#[derive(Debug, Clone, PartialEq)]
pub struct RemarkView {
    /// A code for programs.
    pub code: String,
    /// A sentence for people.
    pub text: String,
    /// Whether the remark is an error. Errors are kept in messages, notices in the log and its outline.
    pub error: bool,
    /// The attempts at the model call, if the remark is about one that no provider answered. They are known from the log
    /// or its outline.
    pub attempts: Vec<FailedAttempt>,
    /// The number of the event; 0 in a view of messages.
    pub since: u32,
}

impl TurnView {
    /// Adds a message that the user sent during the turn.
    fn steer(&mut self, turn: Option<TurnId>, input: &[Part], since: u32) {
        let after_step = self.tools.last().map_or(0, |tool| tool.uid.step);
        self.steered.push(SteeredView { turn, input: input.to_vec(), after_step, since });
    }
}

impl StepView {
    /// Creates the view of a step of which only the number is known.
    fn without_log(step: u16) -> Self {
        let (provider, model, finish, usage) = (None, None, None, None);
        let attempts = Vec::new();
        Self { step, provider, model, finish, usage, began_at: None, first_ms: None, ms: None, attempts, since: 0 }
    }
}
