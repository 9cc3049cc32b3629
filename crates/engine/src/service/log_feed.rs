//! Follows the log of one turn. A follower receives exactly the events after its position, replayed from the store
//! and then live from memory.

use std::task::{Context, Poll, ready};

use turnkit_core::ports::BoxFuture;
use turnkit_core::{LiveTurn, Scope, Snapshot, StoreError, Tail, ToolProgress, TurnEvent, TurnId, TurnLog};

use super::TurnService;
use super::followed::{FollowFrom, FollowedSession, FollowedTurn, LogPosition};

/// The reason why a turn cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FollowError {
    /// The turn ended so long ago that its log is no longer kept.
    #[error("the turn has ended and its events are no longer kept: read the session's messages instead")]
    Expired,
    /// The scope has no such turn, or storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The result of one read of a turn's log. Events are added to the batch of the caller.
pub(super) enum LogUpdate {
    /// Events were added to the batch.
    Events,
    /// Progress reports of running calls.
    Progress(Vec<ToolProgress>),
    /// The follower cannot continue where it left off. Later items apply on top of this snapshot.
    Resync(Box<Snapshot>),
    /// The terminal event was read. No further items follow.
    End,
    /// The turn was deleted, or its events are no longer kept, while the follower waited. No further items follow.
    Gone,
}

/// A follower of a turn's log, whichever worker owns the turn.
pub(super) struct LogFeed {
    pub(super) followed: FollowedTurn,
    /// The turn's number in its session.
    pub(super) number: u32,
    reading: Reading,
    snapshot: Option<Box<Snapshot>>,
    /// Where to continue with the turn's next owner.
    from: FollowFrom,
    /// Whether the follower has received the error of an owner that could not write.
    fault_reported: bool,
}

enum Reading {
    /// The turn's log, live or stored.
    Log(Tail),
    /// Looking for the turn's next owner.
    NextOwner(BoxFuture<'static, Result<LogPosition, StoreError>>),
    /// The turn no longer exists.
    Nothing,
}

impl LogFeed {
    /// Follows a turn in the scope, in any of its sessions.
    pub(super) async fn open(
        service: &TurnService,
        scope: &Scope,
        turn: TurnId,
        from: FollowFrom,
    ) -> Result<Self, FollowError> {
        let record = service.inner.parts.store.turn(scope, turn).await?;
        let followed = FollowedSession::new(service, scope, record.session).turn(turn);
        let Some(live) = followed.log().await? else {
            return Err(if record.ended_at.is_some() { FollowError::Expired } else { StoreError::NotFound.into() });
        };
        Ok(Self::new(followed.open_at(&live, from).await?, followed, from))
    }

    pub(super) fn new(entered: LogPosition, followed: FollowedTurn, from: FollowFrom) -> Self {
        let LogPosition { tail, snapshot } = entered;
        let number = tail.live().read(TurnLog::number);
        Self { followed, number, reading: Reading::Log(tail), snapshot, from, fault_reported: false }
    }

    /// Returns the log being read, unless the turn has no owner.
    pub(super) fn log(&self) -> Option<&LiveTurn> {
        match &self.reading {
            Reading::Log(tail) => Some(tail.live()),
            Reading::NextOwner(_) | Reading::Nothing => None,
        }
    }

    /// Adds the events that can be read now to `batch`, or returns another item.
    ///
    /// # Errors
    /// Storage failed for the follower, or for the turn's owner, which will continue later. Everything read so far
    /// stays valid, and polling again continues to wait.
    pub(super) fn poll_next(
        &mut self,
        context: &mut Context<'_>,
        batch: &mut Vec<TurnEvent>,
    ) -> Poll<Result<LogUpdate, StoreError>> {
        loop {
            if let Some(snapshot) = self.snapshot.take() {
                self.from = FollowFrom::After(snapshot.cursor);
                return Poll::Ready(Ok(LogUpdate::Resync(snapshot)));
            }
            match &mut self.reading {
                Reading::Log(tail) => {
                    if ready!(tail.poll_batch(context, batch)) {
                        let progress = tail.take_progress();
                        if !progress.is_empty() {
                            return Poll::Ready(Ok(LogUpdate::Progress(progress)));
                        }
                        if let Some(last) = batch.last() {
                            self.from = FollowFrom::After(last.cursor(self.number));
                        }
                        return Poll::Ready(Ok(LogUpdate::Events));
                    }
                    let live = tail.live();
                    if live.read(TurnLog::has_ended) {
                        return Poll::Ready(Ok(LogUpdate::End));
                    }
                    let fault = live.fault().filter(|_| !std::mem::replace(&mut self.fault_reported, true));
                    if let Some(fault) = fault {
                        return Poll::Ready(Err(fault));
                    }
                    self.reading = self.next_owner();
                }
                Reading::NextOwner(found) => match ready!(found.as_mut().poll(context)) {
                    Ok(LogPosition { tail, snapshot }) => {
                        (self.reading, self.snapshot, self.fault_reported) = (Reading::Log(tail), snapshot, false);
                    }
                    Err(StoreError::NotFound) => self.reading = Reading::Nothing,
                    Err(error) => {
                        self.reading = self.next_owner();
                        return Poll::Ready(Err(error));
                    }
                },
                Reading::Nothing => return Poll::Ready(Ok(LogUpdate::Gone)),
            }
        }
    }

    fn next_owner(&self) -> Reading {
        Reading::NextOwner(Box::pin(self.followed.clone().next_owner(self.from)))
    }
}
