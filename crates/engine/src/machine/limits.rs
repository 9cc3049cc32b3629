//! Limits of a turn.

use serde::{Deserialize, Serialize};

/// Limits of a turn. A turn that reaches one ends with the status `limit`; its messages are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// The most rounds: steps that run tool calls, and answers that the provider paused. 25 by default.
    pub max_rounds: u16,
    /// The most tool calls. Further calls get an error that asks the model to finish. 100 by default.
    pub max_calls: u32,
    /// What to do after the last round.
    pub on_limit: OnLimit,
    /// The most attempts at one step. An attempt fails if its process dies, or if its answer breaks off and is redone.
    /// After the last one the turn fails. 3 by default.
    pub max_attempts: u16,
    /// What to do when an answer breaks off after it has begun.
    #[serde(default, skip_serializing_if = "OnStreamFailure::is_default")]
    pub on_stream_failure: OnStreamFailure,
}

/// What to do after the last round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnLimit {
    /// End the turn.
    #[default]
    Stop,
    /// Ask the model for a final answer, without tools.
    Answer,
}

/// What to do when an answer breaks off after it has begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnStreamFailure {
    /// Keep the partial answer, and end the turn with the error.
    #[default]
    Stop,
    /// Withdraw the partial answer, and ask the model again.
    Redo,
}

impl OnStreamFailure {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_rounds: 25,
            max_calls: 100,
            on_limit: OnLimit::Stop,
            max_attempts: 3,
            on_stream_failure: OnStreamFailure::Stop,
        }
    }
}
