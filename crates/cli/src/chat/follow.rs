//! Following one turn at the terminal: its events as they come, Ctrl-C on the way.

use turnkit_core::{EventKind, Scope, TurnId, TurnStatus};
use turnkit_engine::{FeedItem, FollowFrom, TurnService};

use super::interrupt::Interrupts;
use super::render::Renderer;
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

pub(super) async fn follow(
    service: &TurnService,
    scope: &Scope,
    turn: TurnId,
    interrupts: &mut Interrupts,
    mut renderer: Renderer,
) -> Result<Outcome, Failure> {
    let mut feed = service.follow(scope, turn, FollowFrom::Start).await?;
    let mut cancelled = false;
    loop {
        let item = tokio::select! {
            biased;
            () = interrupts.next() => {
                if cancelled {
                    return Ok(Outcome::Left);
                }
                cancelled = true;
                renderer.end_line().map_err(|error| Failure::of_output(&error))?;
                remark("cancelling; once more leaves");
                service.cancel(scope, turn).await?;
                continue;
            }
            item = feed.next() => item?,
        };
        let Some(item) = item else {
            return Err(Failure::Failed("the turn's log ended without its terminal event".to_owned()));
        };
        match item {
            FeedItem::Event(event) => {
                renderer.show(&event).map_err(|error| Failure::of_output(&error))?;
                if let EventKind::TurnEnded { status, .. } = event.kind {
                    return Ok(Outcome::Ended(status));
                }
            }
            FeedItem::Resync(_) => {
                renderer.restart().map_err(|error| Failure::of_output(&error))?;
                feed = service.follow(scope, turn, FollowFrom::Start).await?;
            }
        }
    }
}
