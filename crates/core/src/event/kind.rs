//! The events. This list is the one definition of each: its name, its payload as it is written, read and described, and
//! what the log keeps of it.

use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::PartId;
use super::form::{self, Consumed, Total};
use crate::{
    Arguments, CallUid, ChildPlace, FinishReason, Flow, InteractionDecision, InteractionRequest, Lineage, Part,
    PartKind, RawJson, Resolution, SamplingParams, SessionId, Str, Timestamp, ToolDefinition, ToolErrorKind,
    ToolQuestion, ToolUse, TraceId, TurnId, TurnKind, TurnRoute, TurnStatus, Usage, WaitId, WaitKind,
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
        /// The turn that asked for this one, for sub-agents.
        #[serde(rename = "parent_turn_id", default, skip_serializing_if = "Option::is_none")]
        parent: Option<TurnId>,
        /// The trace that the turn belongs to: the one of the caller's `traceparent`, else one whose id is that of the turn.
        #[serde(rename = "trace_id")]
        trace: TraceId as String,
        /// The purpose of the turn; absent: to answer the message.
        #[serde(default, skip_serializing_if = "TurnKind::is_message")]
        kind: TurnKind,
    }
    /// A model call began to answer.
    "step.started" StepStarted {
        /// The step, from 1.
        step: u16,
        /// The provider that answers.
        provider: Str as String,
        /// The model that answers.
        model: Str as String,
    }
    /// A part of the answer begins.
    "part.started" PartStarted {
        /// The part: `step.part`.
        #[serde(rename = "part_id")]
        id: PartId as String,
        /// What the part will be.
        #[serde(rename = "type")]
        kind: PartKind,
        /// The tool's name, for a call.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<Str> as Option<String>,
    }
    /// A part grows. The event carries no `at` of its own.
    "part.delta" PartDelta {
        /// The part: `step.part`.
        #[serde(rename = "part_id")]
        id: PartId as String,
        /// The text that is added.
        #[serde(rename = "delta")]
        text: Str as String,
    }
    /// A part is whole.
    "part.ended" PartEnded {
        /// The part: `step.part`.
        #[serde(rename = "part_id")]
        id: PartId as String,
        /// The whole part.
        #[serde(serialize_with = "form::part")]
        part: Part,
    }
    /// A model call is over, or broke off.
    "step.ended" StepEnded {
        /// The step, from 1.
        step: u16,
        /// Why the model stopped: `stop`, `length`, `tool_calls`, `content_filter`, `refusal`, `pause`, `interrupted`, or
        /// the provider's own word.
        #[serde(rename = "finish_reason", serialize_with = "form::write_word", deserialize_with = "form::read_word")]
        finish: FinishReason as String,
        /// What the call consumed.
        #[serde(flatten, skip_deserializing, serialize_with = "form::consumed")]
        usage: Usage as Consumed,
    }
    /// A tool call is about to run.
    "tool.started" ToolStarted {
        /// The call.
        #[serde(rename = "call_id")]
        uid: CallUid as String,
        /// The tool.
        name: String,
        /// What the model passes, as it wrote it: JSON in a text, if it wrote JSON.
        arguments: Arguments as String,
    }
    /// A call waits until it is decided, or until its time is over.
    "interaction.requested" InteractionRequested {
        /// What is to be decided.
        #[serde(flatten)]
        request: Box<InteractionRequest>,
    }
    /// A call that waited was decided.
    "interaction.resolved" InteractionResolved {
        /// The interaction: `call_id.number`.
        id: WaitId as String,
        /// What was decided.
        #[serde(flatten)]
        decision: Box<InteractionDecision>,
    }
    /// A tool call is over, run or not.
    "tool.finished" ToolFinished {
        /// The call.
        #[serde(rename = "call_id")]
        uid: CallUid as String,
        /// The tool.
        name: String,
        /// Whether the call succeeded.
        ok: bool,
        /// What the model reads.
        content: String,
        /// The kind of failure.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<ToolErrorKind>,
        /// How long the call ran, in milliseconds.
        ms: u64,
    }
    /// A message that the user sent while the turn ran became part of it: the model reads it in its next step.
    "steered" Steered {
        /// The turn that the message was accepted as. It ends with this.
        #[serde(rename = "steering_turn_id")]
        steering: TurnId,
        /// The user's message.
        #[serde(serialize_with = "form::parts")]
        input: Vec<Part>,
    }
    /// Data from a tool for the client.
    "data" Data {
        /// The call that the data came from.
        #[serde(rename = "call_id")]
        uid: CallUid as String,
        /// What the payload is.
        #[serde(rename = "type")]
        kind: String,
        /// The payload.
        payload: RawJson as Value,
    }
    /// A compaction of the session's history is over. With `failure`, the model is sent the same messages as before.
    "compacted" Compacted {
        /// How many messages the summary was to take the place of.
        messages: u32,
        /// About how many tokens these messages are.
        tokens_before: u64,
        /// About how many tokens the summary is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tokens_after: Option<u64>,
        /// Why the compaction failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failure: Option<String>,
        /// The provider that was asked, if one was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        provider: Option<Str> as Option<String>,
        /// The model that was asked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<Str> as Option<String>,
        /// What the model calls consumed.
        #[serde(flatten, skip_deserializing, serialize_with = "form::consumed")]
        usage: Box<Usage> as Consumed,
        /// How long it took, in milliseconds.
        ms: u64,
    }
    /// The turn is over. Always the last event, and the only one of its kind.
    "turn.ended" TurnEnded {
        /// How the turn ended.
        status: TurnStatus,
        /// All visible text of the turn.
        text: String,
        /// The text of the last step alone. Absent if no earlier step wrote text: then it is `text`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        final_text: Option<String>,
        /// What the turn consumed.
        #[serde(flatten, skip_deserializing, serialize_with = "form::consumed")]
        usage: Box<Usage> as Total,
        /// How many model calls the turn took.
        steps: u16,
        /// The trace that the turn belongs to.
        #[serde(rename = "trace_id")]
        trace: TraceId as String,
        /// The turn that the message became part of, if another turn took it: this turn never began.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        steered_into: Option<TurnId>,
    }
}

shown and recorded {
    /// Something the user should know.
    "notice" Notice {
        /// A word for programs.
        code: String,
        /// A sentence for people.
        text: String,
    }
    /// Events from `from_seq` on that were shown and are not in the log do not count: their attempt is redone.
    "retracted" Retracted {
        /// The first event that does not count.
        from_seq: u32,
        /// The number of the attempt that follows, from 2.
        attempt: u16,
        /// How many model calls were lost with the attempt: what they consumed is unknown. Absent if none.
        #[serde(default, skip_serializing_if = "is_zero")]
        lost_calls: u32,
    }
    /// Something went wrong.
    "error" Error {
        /// A word for programs.
        code: String,
        /// A sentence for people.
        message: String,
        /// Whether trying again may help.
        retryable: bool,
        /// What the error is about.
        scope: ErrorScope,
    }
}

recorded {
    /// The turn was accepted; its input is the turn's first message.
    TurnStarted {
        /// The agent that answers.
        agent: String,
        /// The turn that asked for this one.
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
        /// Whether this turn may use tools, if the client said so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tools: Option<ToolUse>,
        /// The mode of this turn, if the client selected one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mode: Option<Box<str>>,
        /// The caller's trace, if the client named one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        trace: Option<TraceId>,
        /// The tools of the client, which runs them itself.
        #[serde(default, skip_serializing_if = "has_none")]
        client_tools: Arc<[ToolDefinition]>,
        /// What the turn of a sub-agent inherits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lineage: Option<Box<Lineage>>,
    }
    /// A model call answered: its start, and all that its parts showed.
    Attempt {
        /// The step.
        step: u16,
        /// The provider that answered.
        provider: Str,
        /// The model that answered.
        model: Str,
        /// Order and lengths of the pieces.
        flow: Flow,
        /// The message of the turn that holds the text, from 0; none if there is no text, or if the text does not count.
        message: Option<u32>,
        /// Parts that were shown and do not count. No message holds them, and a client that saw them must see the same again.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        withdrawn: Vec<Part>,
    }
    /// A model call is over.
    StepEnded {
        /// The step.
        step: u16,
        /// Why the model stopped.
        finish: FinishReason,
        /// What the call consumed.
        usage: Usage,
    }
    /// A call is about to run.
    ToolStarted {
        /// The call.
        uid: CallUid,
    }
    /// A message that the user sent while the turn ran became part of it.
    Steered {
        /// The turn that the message was accepted as.
        steering: TurnId,
        /// The message of the turn, from 0.
        message: u32,
    }
    /// A call gave data for the client.
    Data {
        /// The call, whose result holds the payload.
        uid: CallUid,
    }
    /// A call is over.
    ToolFinished {
        /// The call.
        uid: CallUid,
        /// How long the call ran, in milliseconds.
        ms: u64,
    }
    /// A call waits until it is decided.
    InteractionRequested {
        /// The wait.
        id: WaitId,
        /// What is to be decided.
        kind: WaitKind,
        /// Why the call does not run without a decision.
        reason: String,
        /// What the call would do, for people.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        preview: Option<String>,
        /// What the tool asks, if it asks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        question: Option<Box<ToolQuestion>>,
        /// The turn of the sub-agent that the call waits for, if it waits for one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        child: Option<Box<ChildPlace>>,
        /// When it counts as denied if it is not decided.
        expires_at: Timestamp,
    }
    /// A call that waited was decided.
    InteractionResolved {
        /// The wait.
        id: WaitId,
        /// What was decided.
        resolution: Box<Resolution>,
    }
    /// A compaction of the session's history is over. Its summary is a message of the turn.
    Compacted {
        /// How many messages the summary was to take the place of.
        messages: u32,
        /// About how many tokens these messages are.
        tokens_before: u64,
        /// About how many tokens the summary is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tokens_after: Option<u64>,
        /// Why the compaction failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failure: Option<String>,
        /// The provider that was asked, if one was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        provider: Option<Str>,
        /// The model that was asked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<Str>,
        /// What the model calls consumed.
        usage: Box<Usage>,
        /// How long it took, in milliseconds.
        ms: u64,
    }
    /// The turn is over; its text is that of its assistant messages.
    TurnEnded {
        /// How the turn ended.
        status: TurnStatus,
        /// What the turn consumed.
        usage: Usage,
        /// How many model calls the turn took.
        steps: u16,
        /// The turn that the message became part of, if another turn took it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        steered_into: Option<TurnId>,
    }
}
}

/// What an error is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorScope {
    /// The turn cannot go on as it was asked to.
    Turn,
    /// A tool.
    Tool,
    /// A provider.
    Provider,
}

impl EventKind {
    /// Reads the payload of the event called `name`, as the event is written. Returns nothing if this version knows no
    /// such event.
    ///
    /// # Errors
    /// The payload is not that of the event.
    pub fn read(name: &str, payload: &str) -> Result<Option<Self>, serde_json::Error> {
        let mut kind = Self::read_fields(name, payload)?;
        // Flattened fields would be buffered, which the provider's own object does not survive.
        match &mut kind {
            Some(Self::StepEnded { usage, .. }) => *usage = serde_json::from_str::<Consumed>(payload)?.into(),
            Some(Self::Compacted { usage, .. } | Self::TurnEnded { usage, .. }) => {
                **usage = serde_json::from_str::<Consumed>(payload)?.into()
            }
            _ => {}
        }
        Ok(kind)
    }

    /// Reports whether this is the terminal event.
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
