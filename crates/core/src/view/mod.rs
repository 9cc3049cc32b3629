//! The view of a turn for display. It is built from the turn's events or, once its log has been removed, from its
//! messages.

mod from_events;
mod from_messages;

use crate::{
    Arguments, CallUid, Data, FinishReason, Image, Part, PartId, PartKind, Str, Timestamp, ToolErrorKind, TraceId,
    TurnId, TurnStatus, Usage,
};

/// The data that a page needs to draw a turn. [`without_log`](Self::without_log) documents what is lost once the turn's
/// log has been removed.
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

/// One model call of a turn. The provider, the model, the times and the usage are known only from the log.
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
    /// The number of the event that began the call; 0 in a view of messages.
    pub since: u32,
}

/// A notice or an error.
#[derive(Debug, Clone, PartialEq)]
pub struct RemarkView {
    /// A code for programs.
    pub code: String,
    /// A sentence for people.
    pub text: String,
    /// Whether the remark is an error. Only errors are kept without the log.
    pub error: bool,
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
