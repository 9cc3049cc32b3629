//! How far a turn may go.

use serde::{Deserialize, Serialize};

/// How far a turn may go. Reaching a limit ends it as `limit` with everything kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// The most rounds: steps whose calls are run, and answers that the provider paused.
    pub max_rounds: u16,
    /// The most calls. Those beyond it get an error that tells the model to finish.
    pub max_calls: u32,
    /// What to do after the last round.
    pub on_limit: OnLimit,
    /// How often a step may be begun: after so many deaths of its process, or answers that broke off and were to be redone,
    /// the turn fails.
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
    /// Ask the model once more, without tools, to answer with what it has.
    Answer,
}

/// What to do when an answer breaks off after it has begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnStreamFailure {
    /// Keep what was said, and end the turn with the error.
    #[default]
    Stop,
    /// Withdraw what was said, and ask again.
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
