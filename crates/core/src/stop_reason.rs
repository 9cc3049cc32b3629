//! The reasons for stopping a turn early, and the outcomes of stop requests.

use serde::{Deserialize, Serialize};

use crate::{TurnState, TurnStatus};

/// Why a turn is to stop before it has completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// A client or the operator cancelled the turn.
    Cancelled,
    /// Another message superseded the turn.
    Superseded,
}

impl StopReason {
    /// Returns the status of a turn that was stopped for this reason.
    pub fn status(self) -> TurnStatus {
        match self {
            Self::Cancelled => TurnStatus::Cancelled,
            Self::Superseded => TurnStatus::Interrupted,
        }
    }
}

/// The outcome of a request to stop a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelOutcome {
    /// The owner of the turn will end it.
    Stopping,
    /// The turn had not started and has now ended.
    EndedUnstarted,
    /// The turn had ended already.
    AlreadyEnded,
}

impl CancelOutcome {
    /// Returns the state of the turn after a request to cancel it; `None` if the turn had ended before.
    pub fn state(self) -> Option<TurnState> {
        match self {
            Self::Stopping => Some(TurnState::Cancelling),
            Self::EndedUnstarted => Some(TurnState::Ended(TurnStatus::Cancelled)),
            Self::AlreadyEnded => None,
        }
    }
}
