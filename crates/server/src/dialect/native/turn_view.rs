//! A turn as a page draws it, as JSON.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turnkit_core::{
    CallUid, Cost, Data, Part, PartId, PartKind, PartView, RemarkView, SteeredView, StepView, Timestamp, ToolErrorKind,
    ToolView, TraceId, TurnId, TurnSoFar, TurnStatus,
};

use super::{UsageJson, shown};

/// A turn with what its events up to now add up to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "TurnView")]
pub struct TurnSoFarJson<'a> {
    /// Which.
    pub turn_id: TurnId,
    /// Its number in the session.
    pub number: u32,
    /// The last event in it; 0 if its events are not kept any more.
    pub seq: u32,
    /// The agent that answers.
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
    /// What the user said.
    pub input: Cow<'a, [Part]>,
    /// What the user said while the turn ran, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steered: Vec<SteeredJson<'a>>,
    /// The model calls that began to answer, in order.
    #[serde(default)]
    pub steps: Vec<StepJson<'a>>,
    /// Since when the next answer is waited for: when the turn was accepted, or the last answer, tool call or compaction ended.
    /// Absent while the model answers, and once the turn has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub waiting_since: Option<Timestamp>,
    /// What the model said, in order.
    pub parts: Vec<PartJson<'a>>,
    /// The calls that ran or were refused, in the order in which the model made them.
    pub tools: Vec<ToolJson<'a>>,
    /// Notices and errors, in order.
    pub remarks: Vec<RemarkJson<'a>>,
    /// What the turn consumed, once it has ended. Absent if no model call began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<UsageJson>,
    /// What that cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// How it ended, once it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<TurnStatus>,
    /// The trace that it belongs to: the one of the caller's `traceparent`, else one whose id is that of the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub trace_id: Option<TraceId>,
    /// The turn that the message became part of, if another turn took it: this turn never began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steered_into: Option<TurnId>,
}

/// A message that the user sent while the turn ran.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SteeredView")]
pub struct SteeredJson<'a> {
    /// The turn that it was accepted as. Absent if the turn's events are not kept any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steering_turn_id: Option<TurnId>,
    /// What the user said.
    pub input: Cow<'a, [Part]>,
    /// The step whose calls were over when the message became part of the turn; 0 if there was none. The model reads the
    /// message in a later step.
    pub after_step: u16,
    /// Its event.
    pub since: u32,
}

/// A model call of a turn. The provider, the model and what follows are absent if the turn's events are not kept any more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "StepView")]
pub struct StepJson<'a> {
    /// The step, from 1.
    pub step: u16,
    /// The provider that answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<Cow<'a, str>>,
    /// The model that answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Cow<'a, str>>,
    /// Why the model stopped, once it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish_reason: Option<Cow<'a, str>>,
    /// What the call consumed, once it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<UsageJson>,
    /// What that cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// The version of the prices, where they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prices: Option<Cow<'a, str>>,
    /// When the model began to answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub began_at: Option<Timestamp>,
    /// How long its answer was waited for, in milliseconds: since the turn was accepted, or the last answer, tool call or
    /// compaction ended. Attempts that failed and the time in a queue are part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_ms: Option<u64>,
    /// How long the model answered, in milliseconds, once it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
    /// The event it began with.
    pub since: u32,
}

/// A part, whole or still growing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PartView")]
pub struct PartJson<'a> {
    /// Which.
    #[schemars(with = "String")]
    pub part_id: PartId,
    /// What it is.
    pub r#type: PartKind,
    /// The tool's name, for a call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<Cow<'a, str>>,
    /// Its text so far.
    pub text: Cow<'a, str>,
    /// Whether the text is cut, as pages of turns do.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
    /// Whether it is whole.
    pub ended: bool,
    /// The event it began with; a later `retracted` takes it back if it began at `from_seq` or after.
    pub since: u32,
}

/// A call that ran or was refused.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ToolView")]
pub struct ToolJson<'a> {
    /// Which.
    #[schemars(with = "String")]
    pub call_id: CallUid,
    /// The tool.
    pub name: Cow<'a, str>,
    /// What the model passes, as it wrote it: JSON in a string, if it wrote JSON.
    #[serde(default)]
    pub arguments: Cow<'a, str>,
    /// What the client gets besides the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Cow<'a, Data>>,
    /// Whether it succeeded, once it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ok: Option<bool>,
    /// What the model reads, once it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Cow<'a, str>>,
    /// What kind of failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ToolErrorKind>,
    /// Whether arguments or content are cut, or data is left out, as pages of turns do.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
    /// The event it began with.
    pub since: u32,
}

/// A notice or an error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RemarkView")]
pub struct RemarkJson<'a> {
    /// A word for programs.
    pub code: Cow<'a, str>,
    /// A sentence for people.
    pub text: Cow<'a, str>,
    /// Whether it is an error.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub error: bool,
    /// Its event.
    pub since: u32,
}

impl<'a> TurnSoFarJson<'a> {
    pub(crate) fn of(turn: &'a TurnSoFar) -> Self {
        let view = &turn.view;
        Self {
            turn_id: turn.id,
            number: turn.number,
            seq: view.seq,
            agent: Cow::Borrowed(&view.agent),
            accepted_at: view.accepted_at,
            ended_at: view.ended_at,
            input: shown::parts(&view.input),
            steered: view.steered.iter().map(SteeredJson::of).collect(),
            steps: view.steps.iter().map(StepJson::of).collect(),
            waiting_since: view.waiting_since,
            parts: view.parts.iter().map(PartJson::of).collect(),
            tools: view.tools.iter().map(ToolJson::of).collect(),
            remarks: view.remarks.iter().map(RemarkJson::of).collect(),
            usage: view.usage.as_ref().map(UsageJson::of),
            cost: view.usage.as_ref().map(|usage| usage.cost),
            status: view.status,
            trace_id: view.trace,
            steered_into: view.steered_into,
        }
    }
}

impl<'a> SteeredJson<'a> {
    fn of(steered: &'a SteeredView) -> Self {
        let input = shown::parts(&steered.input);
        Self { steering_turn_id: steered.turn, input, after_step: steered.after_step, since: steered.since }
    }
}

impl<'a> StepJson<'a> {
    fn of(step: &'a StepView) -> Self {
        let usage = step.usage.as_ref();
        Self {
            step: step.step,
            provider: step.provider.as_deref().map(Cow::Borrowed),
            model: step.model.as_deref().map(Cow::Borrowed),
            finish_reason: step.finish.as_ref().map(|finish| Cow::Borrowed(finish.as_str())),
            usage: usage.map(UsageJson::of),
            cost: usage.map(|usage| usage.cost),
            prices: usage.and_then(|usage| usage.prices.as_deref()).map(Cow::Borrowed),
            began_at: step.began_at,
            first_ms: step.first_ms,
            ms: step.ms,
            since: step.since,
        }
    }
}

impl<'a> PartJson<'a> {
    pub(crate) fn of(part: &'a PartView) -> Self {
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

impl<'a> ToolJson<'a> {
    pub(crate) fn of(tool: &'a ToolView) -> Self {
        let (ok, content, error) = match &tool.outcome {
            Some((ok, content, error)) => (Some(*ok), Some(Cow::Borrowed(content.as_str())), *error),
            None => (None, None, None),
        };
        Self {
            call_id: tool.uid,
            name: Cow::Borrowed(&tool.name),
            arguments: Cow::Borrowed(&tool.arguments.0),
            data: tool.data.as_ref().map(Cow::Borrowed),
            ok,
            content,
            error,
            more: false,
            since: tool.since,
        }
    }
}

impl<'a> RemarkJson<'a> {
    fn of(remark: &'a RemarkView) -> Self {
        let (code, text) = (Cow::Borrowed(remark.code.as_str()), Cow::Borrowed(remark.text.as_str()));
        Self { code, text, error: remark.error, since: remark.since }
    }
}
