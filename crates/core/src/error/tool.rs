//! Failures of a tool call. They go back to the model; they never end a turn.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ChildTurn, ToolQuestion};

/// What kind of failure a call met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolErrorKind {
    /// No tool has that name.
    UnknownTool,
    /// The arguments are not JSON, or not of the tool's shape.
    InvalidArguments,
    /// The model was cut off while it wrote the arguments.
    Incomplete,
    /// The tool failed.
    Failed,
    /// The tool ran out of time.
    TimedOut,
    /// The turn was cancelled.
    Cancelled,
    /// A rule or a person said no.
    Denied,
    /// The turn has used up its calls.
    TooManyCalls,
    /// The call was started and nobody knows how it ended.
    OutcomeUnknown,
    /// The same call had failed the same way several times in a row. It did not run again.
    Repeated,
}

impl ToolErrorKind {
    /// Reports whether another call, with other arguments, may succeed and does nothing twice: this one did not run.
    pub(crate) fn is_retryable(self) -> bool {
        matches!(self, Self::InvalidArguments | Self::Incomplete)
    }
}

/// A tool's failure, as the tool or its dispatcher reports it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ToolError {
    /// No tool has that name.
    #[error("there is no tool with this name")]
    UnknownTool,
    /// The arguments do not fit.
    #[error("invalid arguments: {0}")]
    InvalidArguments(String),
    /// The tool refuses this call under all rules: a path outside its folders, or an address that must not be contacted.
    #[error("{0}")]
    Denied(String),
    /// The tool failed.
    #[error("{0}")]
    Failed(String),
    /// The tool ran out of time.
    #[error("the tool did not finish in time")]
    TimedOut,
    /// The turn was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The call was started and nobody knows how it ended.
    #[error("the outcome of this call is unknown; it may have taken effect")]
    OutcomeUnknown,
    /// The call cannot finish without an answer. Once a person has answered, it runs again with the
    /// [answer](crate::ports::ToolContext::answer); where no person can be asked, it fails.
    #[error("an answer is needed: {}", .0.text)]
    NeedsAnswer(Box<ToolQuestion>),
    /// The call cannot finish without the turn of a sub-agent. Once that has ended, the call runs again with the
    /// [report](crate::ports::ToolContext::answer). Where sessions are not stored, or turns are nested too deeply, it fails.
    #[error("the turn of a sub-agent is needed")]
    NeedsTurn(Box<ChildTurn>),
}

impl ToolError {
    /// Its kind.
    pub fn kind(&self) -> ToolErrorKind {
        match self {
            Self::UnknownTool => ToolErrorKind::UnknownTool,
            Self::InvalidArguments(_) => ToolErrorKind::InvalidArguments,
            Self::Denied(_) => ToolErrorKind::Denied,
            Self::Failed(_) | Self::NeedsAnswer(_) | Self::NeedsTurn(_) => ToolErrorKind::Failed,
            Self::TimedOut => ToolErrorKind::TimedOut,
            Self::Cancelled => ToolErrorKind::Cancelled,
            Self::OutcomeUnknown => ToolErrorKind::OutcomeUnknown,
        }
    }
}
