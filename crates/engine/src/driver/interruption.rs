//! What ends a step from outside: a request to stop, or the deadline.

use std::pin::Pin;

use tokio::time::Sleep;
use turnkit_core::{LiveTurn, Partial, StopReason, TurnStatus};

use crate::machine::{Finished, Input};

/// Why a step was broken off.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Interruption {
    Stopped(StopReason),
    Expired,
}

/// Waits for either.
pub(super) async fn interrupted(live: &LiveTurn, expiry: Pin<&mut Sleep>) -> Interruption {
    tokio::select! {
        biased;
        reason = live.stopped() => Interruption::Stopped(reason),
        () = expiry => Interruption::Expired,
    }
}

impl Interruption {
    /// The news for the machine, with what was said and done by then.
    pub(super) fn into_input(self, partial: Option<Partial>, finished: Vec<Finished>) -> Input {
        match self {
            Self::Stopped(reason) => Input::Stop { status: status_of(reason), error: None, partial, finished },
            Self::Expired => expired(partial, finished),
        }
    }
}

/// The news that time is up.
pub(super) fn expired(partial: Option<Partial>, finished: Vec<Finished>) -> Input {
    let error = Some(("deadline_exceeded".to_owned(), "the turn did not finish in the time it was given".to_owned()));
    Input::Stop { status: TurnStatus::Expired, error, partial, finished }
}

/// How a turn ends that was asked to stop.
pub(crate) fn status_of(reason: StopReason) -> TurnStatus {
    match reason {
        StopReason::Cancelled => TurnStatus::Cancelled,
        StopReason::Superseded => TurnStatus::Interrupted,
    }
}
