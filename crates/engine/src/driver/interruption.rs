//! Interruptions of a step from outside: a request to stop, the deadline, or the end of the process.

use turnkit_core::{PartialAnswer, StopReason, TurnStatus, Usage};

use crate::machine::{FinishedCall, Input, InterruptedCall};

/// The reason why a step was interrupted.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Interruption {
    Stopped(StopReason),
    Expired,
    /// The process is stopping.
    HandedOver,
}

impl Interruption {
    /// Returns the input for a machine whose model call was interrupted. `since` is the first event of the attempt.
    pub(super) fn of_call(self, partial: Option<PartialAnswer>, since: u32) -> Input {
        match self {
            Self::HandedOver => {
                Input::HandedOver { call: Some(InterruptedCall { partial, since }), finished: Vec::new() }
            }
            Self::Stopped(_) | Self::Expired => self.into_input(partial, Vec::new()),
        }
    }

    /// Returns the input for a machine whose compaction was interrupted after its model calls had consumed `usage`.
    /// `since` is the event that would follow.
    pub(super) fn of_compaction(self, since: u32, usage: Option<Usage>) -> Input {
        match self.of_call(None, since) {
            Input::Stop { status, error, .. } => Input::CompactionStopped { status, error, usage },
            // The machine counts the call itself.
            handed_over => handed_over,
        }
    }

    /// Returns the input for a machine whose round of tool calls was interrupted, or that was between two steps.
    pub(super) fn of_round(self, finished: Vec<FinishedCall>) -> Input {
        self.into_input(None, finished)
    }

    fn into_input(self, partial: Option<PartialAnswer>, finished: Vec<FinishedCall>) -> Input {
        match self {
            Self::Stopped(reason) => Input::Stop { status: reason.status(), error: None, partial, finished },
            Self::Expired => expired(partial, finished),
            Self::HandedOver => Input::HandedOver { call: None, finished },
        }
    }
}

fn expired(partial: Option<PartialAnswer>, finished: Vec<FinishedCall>) -> Input {
    let error = Some(("deadline_exceeded".to_owned(), "the turn did not finish in the time it was given".to_owned()));
    Input::Stop { status: TurnStatus::Expired, error, partial, finished }
}
