//! Waits and their resolutions, in the form in which events carry them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Arguments, CallUid, ChildId, ChildReport, Denial, GrantScope, KnownOutcome, Resolution, Shortening, Timestamp,
    ToolQuestion, WaitId, WaitKind,
};

/// A pending interaction, as clients receive it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InteractionRequest {
    /// The interaction: `call_id.number`.
    #[schemars(with = "String")]
    pub id: WaitId,
    /// The kind of resolution that is needed.
    pub kind: WaitKind,
    /// The call.
    #[serde(rename = "call_id")]
    #[schemars(with = "String")]
    pub uid: CallUid,
    /// The tool.
    pub name: String,
    /// The arguments as the model wrote them: a JSON text, if the model wrote valid JSON.
    #[schemars(with = "String")]
    pub arguments: Arguments,
    /// The reason why the call needs a decision.
    pub reason: String,
    /// A preview of the call's effect, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    /// The question of the tool, if it asks one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Box<ToolQuestion>>,
    /// The sub-agent turn that the call waits for. The events of that turn report its progress and its own waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub child: Option<Box<ChildId>>,
    /// When an undecided call counts as denied.
    #[schemars(with = "String")]
    pub expires_at: Timestamp,
}

/// The resolution of an interaction, as clients receive it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "InteractionDecision")]
pub struct InteractionResolution {
    /// The kind of the resolution.
    pub decision: ResolutionKind,
    /// The person or event that denied the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Denial>,
    /// The arguments that the call runs with, if a person changed them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub arguments: Option<Arguments>,
    /// A note from the person to the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The answer to the tool's question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Value>,
    /// The content that the client's tool returned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// Present if the content was too long for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortened: Option<Shortening>,
    /// Which later calls also run without approval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant: Option<GrantScope>,
    /// The outcome of the sub-agent turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub child: Option<Box<ChildReport>>,
}

/// The kind of a resolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Decided")]
pub enum ResolutionKind {
    /// The call runs.
    Approved,
    /// The call does not run.
    Denied,
    /// The call runs again.
    Retry,
    /// The call took effect.
    Done,
    /// The call had no effect.
    Failed,
    /// The question was answered.
    Answered,
    /// The client's tool succeeded.
    Returned,
    /// The client's tool failed.
    ReturnedError,
    /// The sub-agent turn ended.
    Ended,
}

impl ResolutionKind {
    /// Returns the text form, which is also the JSON form.
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

impl InteractionResolution {
    fn new(decision: ResolutionKind) -> Self {
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

impl From<Resolution> for InteractionResolution {
    fn from(resolution: Resolution) -> Self {
        match resolution {
            Resolution::Approved { arguments, note, grant } => {
                Self { arguments, note, grant, ..Self::new(ResolutionKind::Approved) }
            }
            Resolution::Denied { by, note } => Self { by: Some(by), note, ..Self::new(ResolutionKind::Denied) },
            Resolution::Outcome { outcome, note } => {
                let decision = match outcome {
                    KnownOutcome::Retry => ResolutionKind::Retry,
                    KnownOutcome::Done => ResolutionKind::Done,
                    KnownOutcome::Failed => ResolutionKind::Failed,
                };
                Self { note, ..Self::new(decision) }
            }
            Resolution::Answered { answer } => Self { answer: Some(answer), ..Self::new(ResolutionKind::Answered) },
            Resolution::Returned { ok, content, shortened } => {
                let decision = if ok { ResolutionKind::Returned } else { ResolutionKind::ReturnedError };
                Self { content: Some(content), shortened, ..Self::new(decision) }
            }
            Resolution::Child(report) => Self { child: Some(report), ..Self::new(ResolutionKind::Ended) },
        }
    }
}

impl From<InteractionResolution> for Resolution {
    fn from(told: InteractionResolution) -> Self {
        let InteractionResolution { decision, by, arguments, note, answer, content, shortened, grant, child } = told;
        let returned = |ok| Self::Returned { ok, content: content.unwrap_or_default(), shortened };
        let outcome = match decision {
            ResolutionKind::Approved => return Self::Approved { arguments, note, grant },
            ResolutionKind::Denied => return Self::Denied { by: by.unwrap_or(Denial::Person), note },
            ResolutionKind::Answered => return Self::Answered { answer: answer.unwrap_or_default() },
            ResolutionKind::Returned => return returned(true),
            ResolutionKind::ReturnedError => return returned(false),
            ResolutionKind::Ended => {
                return child.map_or(Self::Denied { by: Denial::Cancelled, note: None }, Self::Child);
            }
            ResolutionKind::Retry => KnownOutcome::Retry,
            ResolutionKind::Done => KnownOutcome::Done,
            ResolutionKind::Failed => KnownOutcome::Failed,
        };
        Self::Outcome { outcome, note }
    }
}
