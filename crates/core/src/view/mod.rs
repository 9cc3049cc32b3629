//! A turn as a page draws it. There are two sources: the turn's events, and the messages that are left when its log is gone.

mod from_events;
mod from_messages;

use crate::{
    Arguments, CallUid, Data, FinishReason, Part, PartId, PartKind, Str, Timestamp, ToolErrorKind, TraceId, TurnId,
    TurnStatus, Usage,
};

/// All that a page needs to draw a turn. [`without_log`](Self::without_log) says what of it is lost once the turn's log is
/// gone.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TurnView {
    /// The last event in it; 0 in a view of messages.
    pub seq: u32,
    /// The agent that answers.
    pub agent: String,
    /// When the turn was accepted.
    pub accepted_at: Option<Timestamp>,
    /// When the turn ended.
    pub ended_at: Option<Timestamp>,
    /// What the user said.
    pub input: Vec<Part>,
    /// What the user said while the turn ran, in order.
    pub steered: Vec<SteeredView>,
    /// The model calls that began to answer, in order.
    pub steps: Vec<StepView>,
    /// Since when the next answer is waited for: when the turn was accepted, or the last answer, tool call or compaction
    /// ended. Absent while the model answers, and once the turn has ended.
    pub waiting_since: Option<Timestamp>,
    /// What the model said, in order.
    pub parts: Vec<PartView>,
    /// The calls that ran or were refused, in the order in which the model made them.
    pub tools: Vec<ToolView>,
    /// Notices and errors, in order.
    pub remarks: Vec<RemarkView>,
    /// What the turn consumed; known once it has ended, unless it never began.
    pub usage: Option<Usage>,
    /// How the turn ended, once it has.
    pub status: Option<TurnStatus>,
    /// The turn that took the message, if another one did: this turn never began.
    pub steered_into: Option<TurnId>,
    /// The trace that the turn belongs to; absent before the first event.
    pub trace: Option<TraceId>,
}

/// A message that the user sent while the turn ran.
#[derive(Debug, Clone, PartialEq)]
pub struct SteeredView {
    /// The turn that it was accepted as; absent in a view of messages.
    pub turn: Option<TurnId>,
    /// What the user said.
    pub input: Vec<Part>,
    /// The step whose calls were over when the message became part of the turn; 0 if the turn had made none. The model reads
    /// the message in a later step.
    pub after_step: u16,
    /// Its event; 0 in a view of messages.
    pub since: u32,
}

/// One model call of a turn. Only the log knows who answered, how long that took and what the call consumed.
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
    /// What the call consumed, once it is over.
    pub usage: Option<Usage>,
    /// When the model began to answer.
    pub began_at: Option<Timestamp>,
    /// How long its answer was waited for, in milliseconds: since the turn was accepted, or the last answer, tool call or
    /// compaction ended. Attempts that failed and the time in a queue are part of it.
    pub first_ms: Option<u64>,
    /// How long the model answered, in milliseconds, once it has.
    pub ms: Option<u64>,
    /// The event it began with; 0 in a view of messages.
    pub since: u32,
}

/// A part, whole or still growing.
#[derive(Debug, Clone, PartialEq)]
pub struct PartView {
    /// Which.
    pub id: PartId,
    /// What it is.
    pub kind: PartKind,
    /// The tool's name, for a call.
    pub name: Option<Str>,
    /// Its text so far.
    pub text: String,
    /// Whether it is whole.
    pub ended: bool,
    /// The event it began with; 0 in a view of messages.
    pub since: u32,
}

/// A call that ran or was refused.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolView {
    /// Which.
    pub uid: CallUid,
    /// The tool.
    pub name: String,
    /// What the model passes.
    pub arguments: Arguments,
    /// What the client gets besides the result.
    pub data: Option<Data>,
    /// What came of it: whether it succeeded, what the model reads, and the kind of failure.
    pub outcome: Option<(bool, String, Option<ToolErrorKind>)>,
    /// The event it began with; 0 in a view of messages.
    pub since: u32,
}

/// A notice or an error.
#[derive(Debug, Clone, PartialEq)]
pub struct RemarkView {
    /// A word for programs.
    pub code: String,
    /// A sentence for people.
    pub text: String,
    /// Whether it is an error. Only errors outlive the log.
    pub error: bool,
    /// Its event; 0 in a view of messages.
    pub since: u32,
}

impl TurnView {
    /// Adds a message that the user sent while the turn ran.
    fn steer(&mut self, turn: Option<TurnId>, input: &[Part], since: u32) {
        let after_step = self.tools.last().map_or(0, |tool| tool.uid.step);
        self.steered.push(SteeredView { turn, input: input.to_vec(), after_step, since });
    }
}
