//! Following one turn at the terminal: its events as they come, Ctrl-C on the way.

use std::process::ExitCode;

use turnkit_core::{EventKind, TurnId, TurnStatus};

use super::interrupt::Interrupts;
use super::render::Renderer;
use crate::data::{News, Runner};
use crate::failure::Failure;
use crate::terminal::remark;

/// How following ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The turn is over.
    Ended(TurnStatus),
    /// The user left before that.
    Left,
}

impl Outcome {
    /// The exit code of a command that is about this turn alone.
    pub(super) fn code(self) -> ExitCode {
        match self {
            Self::Ended(TurnStatus::Completed) => ExitCode::SUCCESS,
            Self::Ended(_) | Self::Left => ExitCode::FAILURE,
        }
    }
}

pub(super) async fn follow(
    runner: &Runner,
    turn: TurnId,
    interrupts: &mut Interrupts,
    mut renderer: Renderer,
) -> Result<Outcome, Failure> {
    let mut feed = runner.follow(turn).await?;
    let mut cancelled = false;
    loop {
        let news = tokio::select! {
            biased;
            () = interrupts.next() => {
                if cancelled {
                    return Ok(Outcome::Left);
                }
                cancelled = true;
                renderer.end_line().map_err(|error| Failure::of_output(&error))?;
                remark("cancelling; once more leaves");
                runner.cancel(turn).await?;
                continue;
            }
            news = feed.next() => news?,
        };
        match news {
            Some(News::Event(event)) => {
                renderer.show(&event).map_err(|error| Failure::of_output(&error))?;
                if let EventKind::TurnEnded { status, .. } = event.kind {
                    return Ok(Outcome::Ended(status));
                }
            }
            Some(News::Again) => renderer.restart().map_err(|error| Failure::of_output(&error))?,
            Some(News::Broken) => renderer.wait().map_err(|error| Failure::of_output(&error))?,
            None => return Err(Failure::Failed("the turn's log ended without its terminal event".to_owned())),
        }
    }
}
