//! The list of events. It is the only definition of each event: its name, how its payload is written, read and
//! described, and what the log stores for it.

use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::PartId;
use super::form::{self, Consumed, Total};
use crate::{
    AnswerTimeline, Arguments, CallUid, ChildId, FailedAttempt, FinishReason, Image, InteractionRequest,
    InteractionResolution, Lineage, Part, PartKind, RawJson, Resolution, SamplingParams, SessionId, Str, Timestamp,
    ToolDefinition, ToolErrorKind, ToolQuestion, ToolUse, TraceId, TurnId, TurnKind, TurnRoute, TurnStatus, Usage,
    WaitId, WaitKind,
};

events! {
shown {
    /// The turn was accepted. Always the first event, with `seq` 1.
    "turn.started" TurnStarted {
        /// The turn's session.
        #[serde(rename = "session_id")]
        session: SessionId,
        /// The agent that answers.
        agent: String,
        /// The user's message.
        #[serde(serialize_with = "form::parts")]
        input: Vec<Part>,
        /// The turn that started this one, if this is a sub-agent turn.
        #[serde(rename = "parent_turn_id", default, skip_serializing_if = "Option::is_none")]
        parent: Option<TurnId>,
        /// The trace that the turn belongs to: that of the caller's `traceparent`, or else a trace with the id of the
        /// turn.
        #[serde(rename = "trace_id")]
        trace: TraceId as String,
        /// The purpose of the turn; absent: to answer a message.
        #[serde(default, skip_serializing_if = "TurnKind::is_message")]
        kind: TurnKind,
    }
    /// The answer of a model call began.
    "step.started" StepStarted {
        /// The step, from 1.
        step: u16,
        /// The provider that answers.
        provider: Str as String,
        /// The model that answers.
        model: Str as String,
    }
    /// A part of the answer began.
    "part.started" PartStarted {
        /// The part: `step.part`.
        #[serde(rename = "part_id")]
        id: PartId as String,
        /// The type of the part.
        #[serde(rename = "type")]
        kind: PartKind,
        /// The tool's name, for a call.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<Str> as Option<String>,
    }
    /// Text was appended to a part. The event has no `at` of its own.
    "part.delta" PartDelta {
        /// The part: `step.part`.
        #[serde(rename = "part_id")]
        id: PartId as String,
        /// The text to append.
        #[serde(rename = "delta")]
        text: Str as String,
    }
    /// A part is complete.
    "part.ended" PartEnded {
        /// The part: `step.part`.
        #[serde(rename = "part_id")]
        id: PartId as String,
        /// The complete part.
        #[serde(serialize_with = "form::part")]
        part: Part,
    }
    /// A model call ended or was interrupted.
    "step.ended" StepEnded {
        /// The step, from 1.
        step: u16,
        /// Why the model stopped: `stop`, `length`, `tool_calls`, `content_filter`, `refusal`, `pause`, `interrupted`,
        /// or the provider's own word.
        #[serde(rename = "finish_reason", serialize_with = "form::write_word", deserialize_with = "form::read_word")]
        finish: FinishReason as String,
        /// The usage of the call.
        #[serde(flatten, skip_deserializing, serialize_with = "form::consumed")]
        usage: Usage as Consumed,
        /// The attempts that failed before the one that answered, in order. Absent if none did.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attempts: Vec<FailedAttempt>,
    }
    /// A tool call is about to run.
    "tool.started" ToolStarted {
        /// The call.
        #[serde(rename = "call_id")]
        uid: CallUid as String,
        /// The tool.
        name: String,
        /// The arguments that the call runs with, as the model wrote them or as a person changed them: a JSON text, if
        /// it is valid JSON.
        arguments: Arguments as String,
    }
    /// A call waits for a decision or for its expiry.
    "interaction.requested" InteractionRequested {
        /// The decision that is needed.
        #[serde(flatten)]
        request: Box<InteractionRequest>,
    }
    /// A waiting call was decided.
    "interaction.resolved" InteractionResolved {
        /// The interaction: `call_id.number`.
        id: WaitId as String,
        /// The resolution.
        #[serde(flatten)]
        decision: Box<InteractionResolution>,
    }
    /// A tool call ended, whether it ran or not.
    "tool.finished" ToolFinished {
        /// The call.
        #[serde(rename = "call_id")]
        uid: CallUid as String,
        /// The tool.
        name: String,
        /// Whether the call succeeded.
        ok: bool,
        /// The result as the model reads it.
        content: String,
        /// The kind of failure.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<ToolErrorKind>,
        /// The images that the model sees beside the content.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        images: Vec<Image>,
        /// How long the call ran, in milliseconds.
        ms: u64,
    }
    /// A message that the user sent during the turn became part of it. The model reads it in its next step.
    "steered" Steered {
        /// The turn that the message was accepted as. That turn ends with this event.
        #[serde(rename = "steering_turn_id")]
        steering: TurnId,
        /// The user's message.
        #[serde(serialize_with = "form::parts")]
        input: Vec<Part>,
    }
    /// Data for the client from a tool.
    "data" Data {
        /// The call that produced the data.
        #[serde(rename = "call_id")]
        uid: CallUid as String,
        /// The type of the payload.
        #[serde(rename = "type")]
        kind: String,
        /// The payload.
        payload: RawJson as Value,
    }
    /// A compaction of the session's history ended. If `failure` is set, the model is sent the same messages as before.
    "compacted" Compacted {
        /// The number of messages that the summary was to replace.
        messages: u32,
        /// The estimated tokens of these messages.
        tokens_before: u64,
        /// The estimated tokens of the summary.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tokens_after: Option<u64>,
        /// Why the compaction failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failure: Option<String>,
        /// The provider that was called, if any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        provider: Option<Str> as Option<String>,
        /// The model that was called.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<Str> as Option<String>,
        /// The usage of the model calls.
        #[serde(flatten, skip_deserializing, serialize_with = "form::consumed")]
        usage: Box<Usage> as Consumed,
        /// The duration of the compaction in milliseconds.
        ms: u64,
    }
    /// The turn ended. Always the last event, and the only one of its kind.
    "turn.ended" TurnEnded {
        /// How the turn ended.
        status: TurnStatus,
        /// All visible text of the turn.
        text: String,
        /// The text of the last step. Absent if no earlier step wrote text: then it equals `text`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        final_text: Option<String>,
        /// The usage of the turn.
        #[serde(flatten, skip_deserializing, serialize_with = "form::consumed")]
        usage: Box<Usage> as Total,
        /// The number of model calls of the turn.
        steps: u16,
        /// The trace that the turn belongs to.
        #[serde(rename = "trace_id")]
        trace: TraceId as String,
        /// The turn that the message became part of, if another turn took it. This turn then never began.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        steered_into: Option<TurnId>,
    }
}

shown and recorded {
    /// A notice for the user.
    "notice" Notice {
        /// A code for programs.
        code: String,
        /// A sentence for people.
        text: String,
    }
    /// Events from `from_seq` on that were sent but are not in the log are void. Their attempt is repeated.
    "retracted" Retracted {
        /// The first void event.
        from_seq: u32,
        /// The number of the next attempt, from 2.
        attempt: u16,
        /// The number of model calls that were lost with the attempt, whose usage is unknown. Absent if none.
        #[serde(default, skip_serializing_if = "is_zero")]
        lost_calls: u32,
    }
    /// An error occurred.
    "error" Error {
        /// A code for programs.
        code: String,
        /// A sentence for people.
        message: String,
        /// Whether a retry may succeed.
        retryable: bool,
        /// What the error concerns.
        scope: ErrorScope,
        /// The attempts at the model call that no provider answered, in order. Absent for other errors.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attempts: Vec<FailedAttempt>,
    }
}

recorded {
    /// The turn was accepted. Its input is the first message of the turn.
    TurnStarted {
        /// The agent that answers.
        agent: String,
        /// The turn that started this one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent: Option<TurnId>,
        /// The provider and model to use, if the client chose them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        route: Option<Box<TurnRoute>>,
        /// The sampling settings of this turn, if the client gave any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        params: Option<Box<SamplingParams>>,
        /// The purpose of the turn.
        #[serde(default, skip_serializing_if = "TurnKind::is_message")]
        kind: TurnKind,
        /// Whether this turn may use tools, if the client set that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tools: Option<ToolUse>,
        /// The mode of this turn, if the client selected one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mode: Option<Box<str>>,
        /// The caller's trace, if the client sent one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        trace: Option<TraceId>,
        /// The tools that the client runs itself.
        #[serde(default, skip_serializing_if = "has_none")]
        client_tools: Arc<[ToolDefinition]>,
        /// The data that a sub-agent turn inherits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lineage: Option<Box<Lineage>>,
    }
    /// The answer of a model call: its start, and everything streamed of its parts.
    Attempt {
        /// The step.
        step: u16,
        /// The provider that answered.
        provider: Str,
        /// The model that answered.
        model: Str,
        /// The order and lengths of the streamed pieces.
        #[serde(rename = "flow")]
        timeline: AnswerTimeline,
        /// The index of the turn's message that holds the text, from 0; `None` if there is no text or the text is void.
        message: Option<u32>,
        /// Parts that were streamed and then withdrawn. No message holds them, but they must be replayed for clients
        /// that saw them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        withdrawn: Vec<Part>,
    }
    /// A model call ended.
    StepEnded {
        /// The step.
        step: u16,
        /// Why the model stopped.
        finish: FinishReason,
        /// The usage of the call.
        usage: Usage,
        /// The attempts that failed before the one that answered, in order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attempts: Vec<FailedAttempt>,
    }
    /// A call is about to run.
    ToolStarted {
        /// The call.
        uid: CallUid,
    }
    /// A message that the user sent during the turn became part of it.
    Steered {
        /// The turn that the message was accepted as.
        steering: TurnId,
        /// The index of the message in the turn, from 0.
        message: u32,
    }
    /// A call returned data for the client.
    Data {
        /// The call. Its result holds the payload.
        uid: CallUid,
    }
    /// A call ended.
    ToolFinished {
        /// The call.
        uid: CallUid,
        /// How long the call ran, in milliseconds.
        ms: u64,
    }
    /// A call waits for a decision.
    InteractionRequested {
        /// The wait.
        id: WaitId,
        /// The kind of resolution that is needed.
        kind: WaitKind,
        /// The reason why the call needs a decision.
        reason: String,
        /// A preview of the call's effect, for people.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        preview: Option<String>,
        /// The question of the tool, if it asks one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        question: Option<Box<ToolQuestion>>,
        /// The sub-agent turn that the call waits for, if any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        child: Option<Box<ChildId>>,
        /// When an undecided call counts as denied.
        expires_at: Timestamp,
    }
    /// A waiting call was decided.
    InteractionResolved {
        /// The wait.
        id: WaitId,
        /// The resolution.
        resolution: Box<Resolution>,
    }
    /// A compaction of the session's history ended. Its summary is a message of the turn.
    Compacted {
        /// The number of messages that the summary was to replace.
        messages: u32,
        /// The estimated tokens of these messages.
        tokens_before: u64,
        /// The estimated tokens of the summary.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tokens_after: Option<u64>,
        /// Why the compaction failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failure: Option<String>,
        /// The provider that was called, if any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        provider: Option<Str>,
        /// The model that was called.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<Str>,
        /// The usage of the model calls.
        usage: Box<Usage>,
        /// The duration of the compaction in milliseconds.
        ms: u64,
    }
    /// The turn ended. Its text is that of its assistant messages.
    TurnEnded {
        /// How the turn ended.
        status: TurnStatus,
        /// The usage of the turn.
        usage: Usage,
        /// The number of model calls of the turn.
        steps: u16,
        /// The turn that the message became part of, if another turn took it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        steered_into: Option<TurnId>,
    }
}
}

/// What an error concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorScope {
    /// The turn, which cannot continue as requested.
    Turn,
    /// A tool.
    Tool,
    /// A provider.
    Provider,
}

impl EventKind {
    /// Reads the payload of the event called `name`, in the form in which events are written. Returns `None` if this
    /// version knows no such event.
    ///
    /// # Errors
    /// The payload does not match the event.
    pub fn read(name: &str, payload: &str) -> Result<Option<Self>, serde_json::Error> {
        let mut kind = Self::read_fields(name, payload)?;
        // `#[serde(flatten)]` on deserialization would buffer the fields, which would not preserve the provider's raw
        // JSON.
        match &mut kind {
            Some(Self::StepEnded { usage, .. }) => *usage = serde_json::from_str::<Consumed>(payload)?.into(),
            Some(Self::Compacted { usage, .. } | Self::TurnEnded { usage, .. }) => {
                **usage = serde_json::from_str::<Consumed>(payload)?.into()
            }
            _ => {}
        }
        Ok(kind)
    }

    /// Returns `true` for the terminal event.
    pub fn is_terminal(&self) -> bool {
        matches!(self, Self::TurnEnded { .. })
    }
}

fn has_none(tools: &Arc<[ToolDefinition]>) -> bool {
    tools.is_empty()
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}
