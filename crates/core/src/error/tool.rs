//! Failures of tool calls. They are returned to the model and never end a turn.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ChildTurn, ToolQuestion};

/// The kind of a tool failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolErrorKind {
    /// No tool with this name exists.
    UnknownTool,
    /// The arguments are not JSON, or do not match the tool's schema.
    InvalidArguments,
    /// The model's output ended before the arguments were complete.
    Incomplete,
    /// The tool failed.
    Failed,
    /// The tool timed out.
    TimedOut,
    /// The turn was cancelled.
    Cancelled,
    /// A rule or a person denied the call.
    Denied,
    /// The turn has reached its limit of calls.
    TooManyCalls,
    /// The call was started, but its outcome is unknown.
    OutcomeUnknown,
    /// The same call had failed in the same way several times in a row, so it was not run again.
    Repeated,
}

impl ToolErrorKind {
    /// Returns the name of the kind, as events have it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UnknownTool => "unknown_tool",
            Self::InvalidArguments => "invalid_arguments",
            Self::Incomplete => "incomplete",
            Self::Failed => "failed",
            Self::TimedOut => "timed_out",
            Self::Cancelled => "cancelled",
            Self::Denied => "denied",
            Self::TooManyCalls => "too_many_calls",
            Self::OutcomeUnknown => "outcome_unknown",
            Self::Repeated => "repeated",
        }
    }

    /// Reports whether another call with other arguments may succeed without duplicating an effect, because this call
    /// did not run.
    pub(crate) fn is_retryable(self) -> bool {
        matches!(self, Self::InvalidArguments | Self::Incomplete)
    }
}

/// A tool failure, as reported by the tool or its dispatcher.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ToolError {
    /// No tool with this name exists.
    #[error("there is no tool with this name")]
    UnknownTool,
    /// The arguments are invalid.
    #[error("invalid arguments: {0}")]
    InvalidArguments(String),
    /// The tool rejects this call regardless of the rules: a path outside its folders, or an address that must not be
    /// contacted.
    #[error("{0}")]
    Denied(String),
    /// The tool failed.
    #[error("{0}")]
    Failed(String),
    /// The tool timed out.
    #[error("the tool did not finish in time")]
    TimedOut,
    /// The turn was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The call was started, but its outcome is unknown.
    #[error("the outcome of this call is unknown; it may have taken effect{}", in_brackets(.reason.as_deref()))]
    OutcomeUnknown {
        /// Why it is unknown. It may repeat what another system has written.
        reason: Option<String>,
    },
    /// The call cannot finish without an answer. Once a person has answered, it runs again with the
    /// [answer](crate::ports::ToolContext::answer). If no person can be asked, the call fails.
    #[error("an answer is needed: {}", .0.text)]
    NeedsAnswer(Box<ToolQuestion>),
    /// The call cannot finish without a sub-agent turn. Once that turn has ended, the call runs again with its
    /// [report](crate::ports::ToolContext::answer). If sessions are not stored, or turns are nested too deeply, the
    /// call fails.
    #[error("the turn of a sub-agent is needed")]
    NeedsTurn(Box<ChildTurn>),
}

impl ToolError {
    /// Returns the kind of the failure.
    pub fn kind(&self) -> ToolErrorKind {
        match self {
            Self::UnknownTool => ToolErrorKind::UnknownTool,
            Self::InvalidArguments(_) => ToolErrorKind::InvalidArguments,
            Self::Denied(_) => ToolErrorKind::Denied,
            Self::Failed(_) | Self::NeedsAnswer(_) | Self::NeedsTurn(_) => ToolErrorKind::Failed,
            Self::TimedOut => ToolErrorKind::TimedOut,
            Self::Cancelled => ToolErrorKind::Cancelled,
            Self::OutcomeUnknown { .. } => ToolErrorKind::OutcomeUnknown,
        }
    }
}

fn in_brackets(reason: Option<&str>) -> String {
    reason.map(|reason| format!(" ({reason})")).unwrap_or_default()
}
