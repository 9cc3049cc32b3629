//! The data of each kind of frame, as it is written and read. What is absent is left out.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use turnkit_core::{
    CallUid, Cost, ErrorScope, Part, PartId, PartKind, RawJson, SessionId, ToolErrorKind, TurnId, TurnStatus,
};

use super::usage::UsageJson;

#[derive(Serialize, Deserialize)]
pub(super) struct TurnStarted<'a> {
    pub(super) session_id: SessionId,
    pub(super) agent: Cow<'a, str>,
    pub(super) input: Cow<'a, [Part]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) parent_turn_id: Option<TurnId>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct StepStarted<'a> {
    pub(super) step: u16,
    pub(super) provider: Cow<'a, str>,
    pub(super) model: Cow<'a, str>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct StepEnded<'a> {
    pub(super) step: u16,
    pub(super) finish_reason: Cow<'a, str>,
    pub(super) usage: UsageJson,
    pub(super) cost: Cost,
    /// The version of the prices, where they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) prices: Option<Cow<'a, str>>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct PartStarted<'a> {
    pub(super) part_id: PartId,
    pub(super) r#type: PartKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<Cow<'a, str>>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct PartDelta<'a> {
    pub(super) part_id: PartId,
    pub(super) delta: Cow<'a, str>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct PartEnded<'a> {
    pub(super) part_id: PartId,
    pub(super) part: Cow<'a, Part>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct ToolStarted<'a> {
    pub(super) call_id: CallUid,
    pub(super) name: Cow<'a, str>,
    /// As the model wrote them: JSON in a string, if it wrote JSON.
    pub(super) arguments: Cow<'a, str>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct ToolFinished<'a> {
    pub(super) call_id: CallUid,
    pub(super) name: Cow<'a, str>,
    pub(super) ok: bool,
    pub(super) content: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<ToolErrorKind>,
    pub(super) ms: u64,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Data<'a> {
    pub(super) call_id: CallUid,
    pub(super) r#type: Cow<'a, str>,
    pub(super) payload: Cow<'a, RawJson>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Notice<'a> {
    pub(super) code: Cow<'a, str>,
    pub(super) text: Cow<'a, str>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Retracted {
    pub(super) from_seq: u32,
    pub(super) attempt: u16,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) lost_calls: u32,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

#[derive(Serialize, Deserialize)]
pub(super) struct Failed<'a> {
    pub(super) code: Cow<'a, str>,
    pub(super) message: Cow<'a, str>,
    pub(super) retryable: bool,
    pub(super) scope: ErrorScope,
}

#[derive(Serialize, Deserialize)]
pub(super) struct TurnEnded<'a> {
    pub(super) status: TurnStatus,
    pub(super) text: Cow<'a, str>,
    pub(super) usage: UsageJson,
    pub(super) cost: Cost,
    pub(super) steps: u16,
}
