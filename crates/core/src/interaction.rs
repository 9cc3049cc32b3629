//! A wait and its decision, in the form that events carry.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Arguments, CallUid, ChildPlace, ChildReport, Denial, GrantScope, KnownOutcome, Resolution, Shortened, Timestamp,
    ToolQuestion, WaitId, WaitKind,
};

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
    /// What the tool asks, if it asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Box<ToolQuestion>>,
    /// The turn of the sub-agent that the call waits for. Its own events tell how it goes on, and what it waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub child: Option<Box<ChildPlace>>,
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
    /// The answer to the tool's question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Value>,
    /// What the client's tool returned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// Present if the content was too long for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortened: Option<Shortened>,
    /// Which later calls run without approval too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant: Option<GrantScope>,
    /// What came of the turn of the sub-agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub child: Option<Box<ChildReport>>,
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
    /// The question was answered.
    Answered,
    /// The client's tool succeeded.
    Returned,
    /// The client's tool failed.
    ReturnedError,
    /// The turn of the sub-agent is over.
    Ended,
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
            Self::Answered => "answered",
            Self::Returned => "returned",
            Self::ReturnedError => "returned_error",
            Self::Ended => "ended",
        }
    }
}

impl InteractionDecision {
    fn new(decision: Decided) -> Self {
        Self {
            decision,
            by: None,
            arguments: None,
            note: None,
            answer: None,
            content: None,
            shortened: None,
            grant: None,
            child: None,
        }
    }
}

impl From<Resolution> for InteractionDecision {
    fn from(resolution: Resolution) -> Self {
        match resolution {
            Resolution::Approved { arguments, note, grant } => {
                Self { arguments, note, grant, ..Self::new(Decided::Approved) }
            }
            Resolution::Denied { by, note } => Self { by: Some(by), note, ..Self::new(Decided::Denied) },
            Resolution::Outcome { outcome, note } => {
                let decision = match outcome {
                    KnownOutcome::Retry => Decided::Retry,
                    KnownOutcome::Done => Decided::Done,
                    KnownOutcome::Failed => Decided::Failed,
                };
                Self { note, ..Self::new(decision) }
            }
            Resolution::Answered { answer } => Self { answer: Some(answer), ..Self::new(Decided::Answered) },
            Resolution::Returned { ok, content, shortened } => {
                let decision = if ok { Decided::Returned } else { Decided::ReturnedError };
                Self { content: Some(content), shortened, ..Self::new(decision) }
            }
            Resolution::Child(report) => Self { child: Some(report), ..Self::new(Decided::Ended) },
        }
    }
}

impl From<InteractionDecision> for Resolution {
    fn from(told: InteractionDecision) -> Self {
        let InteractionDecision { decision, by, arguments, note, answer, content, shortened, grant, child } = told;
        let returned = |ok| Self::Returned { ok, content: content.unwrap_or_default(), shortened };
        let outcome = match decision {
            Decided::Approved => return Self::Approved { arguments, note, grant },
            Decided::Denied => return Self::Denied { by: by.unwrap_or(Denial::Person), note },
            Decided::Answered => return Self::Answered { answer: answer.unwrap_or_default() },
            Decided::Returned => return returned(true),
            Decided::ReturnedError => return returned(false),
            Decided::Ended => {
                return child.map_or(Self::Denied { by: Denial::Cancelled, note: None }, Self::Child);
            }
            Decided::Retry => KnownOutcome::Retry,
            Decided::Done => KnownOutcome::Done,
            Decided::Failed => KnownOutcome::Failed,
        };
        Self::Outcome { outcome, note }
    }
}
