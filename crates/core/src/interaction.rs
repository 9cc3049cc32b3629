//! A wait and its decision, in the form that events carry.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Arguments, CallUid, Denial, KnownOutcome, Resolution, Timestamp, WaitId, WaitKind};

/// A pending decision, as clients receive it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InteractionRequest {
    /// The interaction: `call_id.number`.
    #[schemars(with = "String")]
    pub id: WaitId,
    /// What is to be decided.
    pub kind: WaitKind,
    /// The call.
    #[serde(rename = "call_id")]
    #[schemars(with = "String")]
    pub uid: CallUid,
    /// The tool.
    pub name: String,
    /// What the model passes, as it wrote it: JSON in a text, if it wrote JSON.
    #[schemars(with = "String")]
    pub arguments: Arguments,
    /// Why the call does not run without a decision.
    pub reason: String,
    /// What the call would do, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    /// When it counts as denied if it is not decided.
    #[schemars(with = "String")]
    pub expires_at: Timestamp,
}

/// The outcome of an interaction, as clients receive it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InteractionDecision {
    /// What was decided.
    pub decision: Decided,
    /// Who or what denied it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Denial>,
    /// What the call runs with, if a person changed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub arguments: Option<Arguments>,
    /// What the person says to the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Decided {
    /// The call runs.
    Approved,
    /// The call does not run.
    Denied,
    /// The call runs again.
    Retry,
    /// The call took effect.
    Done,
    /// The call took no effect.
    Failed,
}

impl Decided {
    /// The text form, in JSON too.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Denied => "denied",
            Self::Retry => "retry",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }
}

impl From<Resolution> for InteractionDecision {
    fn from(resolution: Resolution) -> Self {
        match resolution {
            Resolution::Approved { arguments, note } => Self { decision: Decided::Approved, by: None, arguments, note },
            Resolution::Denied { by, note } => Self { decision: Decided::Denied, by: Some(by), arguments: None, note },
            Resolution::Outcome { outcome, note } => {
                let decision = match outcome {
                    KnownOutcome::Retry => Decided::Retry,
                    KnownOutcome::Done => Decided::Done,
                    KnownOutcome::Failed => Decided::Failed,
                };
                Self { decision, by: None, arguments: None, note }
            }
        }
    }
}

impl From<InteractionDecision> for Resolution {
    fn from(told: InteractionDecision) -> Self {
        let InteractionDecision { decision, by, arguments, note } = told;
        let outcome = match decision {
            Decided::Approved => return Self::Approved { arguments, note },
            Decided::Denied => return Self::Denied { by: by.unwrap_or(Denial::Person), note },
            Decided::Retry => KnownOutcome::Retry,
            Decided::Done => KnownOutcome::Done,
            Decided::Failed => KnownOutcome::Failed,
        };
        Self::Outcome { outcome, note }
    }
}
