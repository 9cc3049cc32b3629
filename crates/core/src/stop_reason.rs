//! Why a turn stops before it is done, and what becomes of a request to stop it.

use serde::{Deserialize, Serialize};

use crate::{TurnState, TurnStatus};

/// Why a turn should stop before it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// A client or the operator cancelled it.
    Cancelled,
    /// Another message takes its place.
    Superseded,
}

impl StopReason {
    /// The status of a turn that was stopped for this reason.
    pub fn status(self) -> TurnStatus {
        match self {
            Self::Cancelled => TurnStatus::Cancelled,
            Self::Superseded => TurnStatus::Interrupted,
        }
    }
}

/// What became of a request to stop a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelOutcome {
    /// Its owner will end it.
    Stopping,
    /// It had not started and is over now.
    EndedUnstarted,
    /// It was over already.
    AlreadyEnded,
}

impl CancelOutcome {
    /// The state of a turn after a request to cancel it; `None` for a turn that was over before.
    pub fn state(self) -> Option<TurnState> {
        match self {
            Self::Stopping => Some(TurnState::Cancelling),
            Self::EndedUnstarted => Some(TurnState::Ended(TurnStatus::Cancelled)),
            Self::AlreadyEnded => None,
        }
    }
}
