//! An event as the data of its frame, and back.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use turnkit_core::{Arguments, EventKind, Timestamp, TurnEvent, TurnId};

use super::payload::{
    Data, Failed, Notice, PartDelta, PartEnded, PartStarted, Retracted, StepEnded, StepStarted, ToolFinished,
    ToolStarted, TurnEnded, TurnStarted,
};
use super::shown;
use super::usage::UsageJson;

/// The data of an event's frame: what all events have, then what its kind has.
#[derive(Serialize)]
pub(super) struct NativeEvent<'a> {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    payload: Payload<'a>,
}

/// What the data of every event begin with.
#[derive(Serialize, Deserialize)]
pub(super) struct Head {
    pub(super) turn_id: TurnId,
    pub(super) seq: u32,
    /// Not on deltas: they carry the moment of what came before them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<Timestamp>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Payload<'a> {
    TurnStarted(TurnStarted<'a>),
    StepStarted(StepStarted<'a>),
    PartStarted(PartStarted<'a>),
    PartDelta(PartDelta<'a>),
    PartEnded(PartEnded<'a>),
    StepEnded(StepEnded<'a>),
    ToolStarted(ToolStarted<'a>),
    ToolFinished(ToolFinished<'a>),
    Data(Data<'a>),
    Notice(Notice<'a>),
    Retracted(Retracted),
    Error(Failed<'a>),
    TurnEnded(TurnEnded<'a>),
}

impl<'a> NativeEvent<'a> {
    pub(super) fn of(turn_id: TurnId, event: &'a TurnEvent) -> Self {
        let at = (!matches!(event.kind, EventKind::PartDelta { .. })).then_some(event.at);
        Self { head: Head { turn_id, seq: event.seq, at }, payload: Payload::of(&event.kind) }
    }
}

impl<'a> Payload<'a> {
    fn of(kind: &'a EventKind) -> Self {
        use Cow::Borrowed as Ref;
        match kind {
            EventKind::TurnStarted { session, agent, input, parent } => Self::TurnStarted(TurnStarted {
                session_id: *session,
                agent: Ref(agent),
                input: shown::parts(input),
                parent_turn_id: *parent,
            }),
            EventKind::StepStarted { step, provider, model } => {
                Self::StepStarted(StepStarted { step: *step, provider: Ref(provider), model: Ref(model) })
            }
            EventKind::PartStarted { id, kind, name } => {
                Self::PartStarted(PartStarted { part_id: *id, r#type: *kind, name: name.as_deref().map(Ref) })
            }
            EventKind::PartDelta { id, text } => Self::PartDelta(PartDelta { part_id: *id, delta: Ref(text) }),
            EventKind::PartEnded { id, part } => Self::PartEnded(PartEnded { part_id: *id, part: shown::part(part) }),
            EventKind::StepEnded { step, finish, usage } => Self::StepEnded(StepEnded {
                step: *step,
                finish_reason: Ref(finish.as_str()),
                usage: UsageJson::of(usage),
                cost: usage.cost,
                prices: usage.prices.as_deref().map(Ref),
            }),
            EventKind::ToolStarted { uid, name, arguments } => {
                Self::ToolStarted(ToolStarted { call_id: *uid, name: Ref(name), arguments: Ref(&arguments.0) })
            }
            EventKind::ToolFinished { uid, name, ok, content, error, ms } => Self::ToolFinished(ToolFinished {
                call_id: *uid,
                name: Ref(name),
                ok: *ok,
                content: Ref(content),
                error: *error,
                ms: *ms,
            }),
            EventKind::Data { uid, kind, payload } => {
                Self::Data(Data { call_id: *uid, r#type: Ref(kind), payload: Ref(payload) })
            }
            EventKind::Notice { code, text } => Self::Notice(Notice { code: Ref(code), text: Ref(text) }),
            EventKind::Retracted { from_seq, attempt, lost_calls } => {
                Self::Retracted(Retracted { from_seq: *from_seq, attempt: *attempt, lost_calls: *lost_calls })
            }
            EventKind::Error { code, message, retryable, scope } => {
                Self::Error(Failed { code: Ref(code), message: Ref(message), retryable: *retryable, scope: *scope })
            }
            EventKind::TurnEnded { status, text, usage, steps } => Self::TurnEnded(TurnEnded {
                status: *status,
                text: Ref(text),
                usage: UsageJson::of(usage),
                cost: usage.cost,
                steps: *steps,
            }),
        }
    }
}

/// What the data of a frame called `name` say happened; nothing if no event is called so.
pub(super) fn read_kind(name: &str, data: &str) -> Result<Option<EventKind>, serde_json::Error> {
    fn read<'a, T: Deserialize<'a>>(data: &'a str, kind: fn(T) -> EventKind) -> Result<EventKind, serde_json::Error> {
        serde_json::from_str(data).map(kind)
    }
    let kind = match name {
        "turn.started" => read(data, |is: TurnStarted<'_>| EventKind::TurnStarted {
            session: is.session_id,
            agent: is.agent.into(),
            input: is.input.into(),
            parent: is.parent_turn_id,
        }),
        "step.started" => read(data, |is: StepStarted<'_>| EventKind::StepStarted {
            step: is.step,
            provider: is.provider.into(),
            model: is.model.into(),
        }),
        "part.started" => read(data, |is: PartStarted<'_>| EventKind::PartStarted {
            id: is.part_id,
            kind: is.r#type,
            name: is.name.map(Into::into),
        }),
        "part.delta" => read(data, |is: PartDelta<'_>| EventKind::PartDelta { id: is.part_id, text: is.delta.into() }),
        "part.ended" => {
            read(data, |is: PartEnded<'_>| EventKind::PartEnded { id: is.part_id, part: is.part.into_owned() })
        }
        "step.ended" => read(data, |is: StepEnded<'_>| EventKind::StepEnded {
            step: is.step,
            finish: is.finish_reason.as_ref().into(),
            usage: is.usage.costing(is.cost, is.prices.map(Into::into)),
        }),
        "tool.started" => read(data, |is: ToolStarted<'_>| EventKind::ToolStarted {
            uid: is.call_id,
            name: is.name.into(),
            arguments: Arguments(is.arguments.into()),
        }),
        "tool.finished" => read(data, |is: ToolFinished<'_>| EventKind::ToolFinished {
            uid: is.call_id,
            name: is.name.into(),
            ok: is.ok,
            content: is.content.into(),
            error: is.error,
            ms: is.ms,
        }),
        "data" => read(data, |is: Data<'_>| EventKind::Data {
            uid: is.call_id,
            kind: is.r#type.into(),
            payload: is.payload.into_owned(),
        }),
        "notice" => read(data, |is: Notice<'_>| EventKind::Notice { code: is.code.into(), text: is.text.into() }),
        "retracted" => read(data, |is: Retracted| {
            let Retracted { from_seq, attempt, lost_calls } = is;
            EventKind::Retracted { from_seq, attempt, lost_calls }
        }),
        "error" => read(data, |is: Failed<'_>| EventKind::Error {
            code: is.code.into(),
            message: is.message.into(),
            retryable: is.retryable,
            scope: is.scope,
        }),
        "turn.ended" => read(data, |is: TurnEnded<'_>| EventKind::TurnEnded {
            status: is.status,
            text: is.text.into(),
            usage: is.usage.costing(is.cost, None),
            steps: is.steps,
        }),
        _ => return Ok(None),
    };
    kind.map(Some)
}
