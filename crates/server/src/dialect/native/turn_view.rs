//! A turn in the form that a page displays, as JSON.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turnkit_core::{
    CallUid, Cost, Data, FailedAttempt, Image, Part, PartId, PartKind, PartView, RemarkView, SteeredView, StepView,
    Timestamp, ToolErrorKind, ToolView, TraceId, TurnId, TurnSnapshot, TurnStatus,
};

use super::wait_view::WaitBody;
use super::{UsageBody, shown};

/// The state of a turn after its events so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "TurnView")]
pub struct TurnSnapshotBody<'a> {
    /// The id of the turn.
    pub turn_id: TurnId,
    /// The turn's number in the session.
    pub number: u32,
    /// The sequence number of the last event that the state includes; 0 if the turn's events are no longer stored.
    pub seq: u32,
    /// The agent that responds.
    #[serde(default)]
    pub agent: Cow<'a, str>,
    /// When the turn was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub accepted_at: Option<Timestamp>,
    /// When the turn ended, once it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub ended_at: Option<Timestamp>,
    /// The user's message.
    pub input: Cow<'a, [Part]>,
    /// The messages that the user sent while the turn ran, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steered: Vec<SteeredBody<'a>>,
    /// The model calls that began to respond, in order.
    #[serde(default)]
    pub steps: Vec<StepBody<'a>>,
    /// The time since which the turn has been waiting for the next response: when the turn was accepted, or when the
    /// last response, tool call or compaction ended. Absent while the model responds, and once the turn has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub waiting_since: Option<Timestamp>,
    /// The model's output, in order.
    pub parts: Vec<PartBody<'a>>,
    /// The calls that ran or were rejected, in the order in which the model made them.
    pub tools: Vec<ToolBody<'a>>,
    /// The interactions that calls of the turn waited for, in order. Absent if the turn's events are no longer stored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<WaitBody<'a>>,
    /// Notices and errors, in order.
    pub remarks: Vec<RemarkBody<'a>>,
    /// The usage of the turn, once it has ended. Absent if no model call began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<UsageBody>,
    /// The cost of that usage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// The status with which the turn ended, once it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<TurnStatus>,
    /// The trace of the turn: that of the caller's `traceparent`, or else one whose id is that of the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub trace_id: Option<TraceId>,
    /// The turn that took the message as steering. If present, this turn never started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steered_into: Option<TurnId>,
}

/// A message that the user sent while the turn ran.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SteeredView")]
pub struct SteeredBody<'a> {
    /// The turn as which the message was accepted. Absent if the turn's events are no longer stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steering_turn_id: Option<TurnId>,
    /// The user's message.
    pub input: Cow<'a, [Part]>,
    /// The last step whose calls had ended when the message became part of the turn; 0 if there was none. The model
    /// reads the message in a later step.
    pub after_step: u16,
    /// The sequence number of the message's event.
    pub since: u32,
}

/// A model call of a turn. If the turn's events are no longer stored, the times are absent, and in long turns the usage
/// too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "StepView")]
pub struct StepBody<'a> {
    /// The number of the step, from 1.
    pub step: u16,
    /// The provider that responds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<Cow<'a, str>>,
    /// The model that responds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Cow<'a, str>>,
    /// Why the model stopped, once it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish_reason: Option<Cow<'a, str>>,
    /// The usage of the call, once it has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<UsageBody>,
    /// The cost of that usage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// The version of the prices, if they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prices: Option<Cow<'a, str>>,
    /// When the model began to respond.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub began_at: Option<Timestamp>,
    /// How long the turn waited for the response, in milliseconds: since the turn was accepted, or since the last
    /// response, tool call or compaction ended. Includes failed attempts and the time in a queue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_ms: Option<u64>,
    /// The duration of the response, in milliseconds, once it has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
    /// The attempts that failed before the one that responded, in order. Absent if none did, and until the call ended.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub attempts: Cow<'a, [FailedAttempt]>,
    /// The sequence number of the step's first event.
    pub since: u32,
}

/// A part of the output, complete or still growing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PartView")]
pub struct PartBody<'a> {
    /// The id of the part.
    #[schemars(with = "String")]
    pub part_id: PartId,
    /// The kind of the part.
    pub r#type: PartKind,
    /// The name of the tool, if the part is a call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<Cow<'a, str>>,
    /// The text so far.
    pub text: Cow<'a, str>,
    /// Whether the text is truncated, as it may be in pages of turns.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
    /// Whether the part is complete.
    pub ended: bool,
    /// The sequence number of the part's first event. A later `retracted` withdraws the part if this number is at least
    /// `from_seq`.
    pub since: u32,
}

/// A tool call that ran or was rejected.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ToolView")]
pub struct ToolBody<'a> {
    /// The id of the call.
    #[schemars(with = "String")]
    pub call_id: CallUid,
    /// The name of the tool.
    pub name: Cow<'a, str>,
    /// The arguments that the call ran with, as the model wrote them or as a person changed them: JSON in a string, if
    /// they are JSON. As the model wrote them if the turn's events are no longer stored.
    #[serde(default)]
    pub arguments: Cow<'a, str>,
    /// Data for the client, besides the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Cow<'a, Data>>,
    /// The images that the model sees beside the content.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub images: Cow<'a, [Image]>,
    /// Whether the call succeeded, once it has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ok: Option<bool>,
    /// The result that the model reads, once the call has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Cow<'a, str>>,
    /// The kind of failure, if the call failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ToolErrorKind>,
    /// How long the call ran, in milliseconds, once it has ended. It may be absent if the turn's events are no longer
    /// stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
    /// Whether arguments or content are truncated, or data is left out, as may happen in pages of turns.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
    /// The sequence number of the call's first event.
    pub since: u32,
}

/// A notice or an error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RemarkView")]
pub struct RemarkBody<'a> {
    /// A code for programs.
    pub code: Cow<'a, str>,
    /// A sentence for people.
    pub text: Cow<'a, str>,
    /// Whether it is an error.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub error: bool,
    /// The attempts at the model call that no provider answered, in order. Absent for other remarks.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub attempts: Cow<'a, [FailedAttempt]>,
    /// The sequence number of the remark's event.
    pub since: u32,
}

impl<'a> TurnSnapshotBody<'a> {
    pub(crate) fn new(turn: &'a TurnSnapshot) -> Self {
        let view = &turn.view;
        Self {
            turn_id: turn.id,
            number: turn.number,
            seq: view.seq,
            agent: Cow::Borrowed(&view.agent),
            accepted_at: view.accepted_at,
            ended_at: view.ended_at,
            input: shown::parts(&view.input),
            steered: view.steered.iter().map(SteeredBody::new).collect(),
            steps: view.steps.iter().map(StepBody::new).collect(),
            waiting_since: view.waiting_since,
            parts: view.parts.iter().map(PartBody::new).collect(),
            tools: view.tools.iter().map(ToolBody::new).collect(),
            waits: view.waits.iter().map(WaitBody::new).collect(),
            remarks: view.remarks.iter().map(RemarkBody::new).collect(),
            usage: view.usage.as_ref().map(UsageBody::of),
            cost: view.usage.as_ref().map(|usage| usage.cost),
            status: view.status,
            trace_id: view.trace,
            steered_into: view.steered_into,
        }
    }
}

impl<'a> SteeredBody<'a> {
    fn new(steered: &'a SteeredView) -> Self {
        let input = shown::parts(&steered.input);
        Self { steering_turn_id: steered.turn, input, after_step: steered.after_step, since: steered.since }
    }
}

impl<'a> StepBody<'a> {
    fn new(step: &'a StepView) -> Self {
        let usage = step.usage.as_ref();
        Self {
            step: step.step,
            provider: step.provider.as_deref().map(Cow::Borrowed),
            model: step.model.as_deref().map(Cow::Borrowed),
            finish_reason: step.finish.as_ref().map(|finish| Cow::Borrowed(finish.as_str())),
            usage: usage.map(UsageBody::of),
            cost: usage.map(|usage| usage.cost),
            prices: usage.and_then(|usage| usage.prices.as_deref()).map(Cow::Borrowed),
            began_at: step.began_at,
            first_ms: step.first_ms,
            ms: step.ms,
            attempts: Cow::Borrowed(&step.attempts),
            since: step.since,
        }
    }
}

impl<'a> PartBody<'a> {
    pub(crate) fn new(part: &'a PartView) -> Self {
        Self {
            part_id: part.id,
            r#type: part.kind,
            name: part.name.as_deref().map(Cow::Borrowed),
            text: Cow::Borrowed(&part.text),
            more: false,
            ended: part.ended,
            since: part.since,
        }
    }
}

fn is_empty<T>(list: &[T]) -> bool {
    list.is_empty()
}

impl<'a> ToolBody<'a> {
    pub(crate) fn new(tool: &'a ToolView) -> Self {
        let (ok, content, error) = match &tool.outcome {
            Some((ok, content, error)) => (Some(*ok), Some(Cow::Borrowed(content.as_str())), *error),
            None => (None, None, None),
        };
        Self {
            call_id: tool.uid,
            name: Cow::Borrowed(&tool.name),
            arguments: Cow::Borrowed(&tool.arguments.0),
            data: tool.data.as_ref().map(Cow::Borrowed),
            images: Cow::Borrowed(&tool.images),
            ok,
            content,
            error,
            ms: tool.ms,
            more: false,
            since: tool.since,
        }
    }
}

impl<'a> RemarkBody<'a> {
    fn new(remark: &'a RemarkView) -> Self {
        let (code, text) = (Cow::Borrowed(remark.code.as_str()), Cow::Borrowed(remark.text.as_str()));
        Self { code, text, error: remark.error, attempts: Cow::Borrowed(&remark.attempts), since: remark.since }
    }
}
