//! Following the log of one turn: exactly what comes after the follower's place, replayed from the store and then live from
//! memory.

use std::task::{Context, Poll, ready};

use turnkit_core::ports::BoxFuture;
use turnkit_core::{LiveTurn, Scope, Snapshot, StoreError, Tail, ToolProgress, TurnEvent, TurnId, TurnLog};

use super::TurnService;
use super::followed::{Entered, FollowFrom, FollowedSession, FollowedTurn};

/// Why something cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FollowError {
    /// The turn ended so long ago that its log was forgotten.
    #[error("the turn is over and its events are not kept any more: read the session's messages instead")]
    Expired,
    /// There is no such turn for this owner, or storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What the log has for its follower.
pub(super) enum LogNews {
    /// Something happened: the events are in the batch.
    Events,
    /// Calls that run have reported how far they have come.
    Progress(Vec<ToolProgress>),
    /// The follower cannot go on where it was: this is how things stand. What follows comes after it.
    Resync(Box<Snapshot>),
    /// The terminal event was read. Nothing more will come.
    End,
    /// The turn was deleted, or its events are not kept any more, while the follower waited. Nothing more will come.
    Gone,
}

/// One follower of a turn's log, whoever owns the turn.
pub(super) struct LogFeed {
    pub(super) followed: FollowedTurn,
    /// The turn's number in its session.
    pub(super) number: u32,
    reading: Reading,
    snapshot: Option<Box<Snapshot>>,
    /// Where to go on with the turn's next owner.
    from: FollowFrom,
    /// Whether the follower knows that the turn's owner could not write.
    told: bool,
}

enum Reading {
    /// The turn's log, live or stored.
    Log(Tail),
    /// Looking for who goes on with it.
    NextOwner(BoxFuture<'static, Result<Entered, StoreError>>),
    /// There is no such turn any more.
    Nothing,
}

impl LogFeed {
    /// Follows a turn of an owner, whatever its session.
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
        Ok(Self::new(followed.enter(&live, from).await?, followed, from))
    }

    pub(super) fn new(entered: Entered, followed: FollowedTurn, from: FollowFrom) -> Self {
        let Entered { tail, snapshot } = entered;
        let number = tail.live().read(TurnLog::number);
        Self { followed, number, reading: Reading::Log(tail), snapshot, from, told: false }
    }

    /// The log that is read now, unless the turn has no owner.
    pub(super) fn log(&self) -> Option<&LiveTurn> {
        match &self.reading {
            Reading::Log(tail) => Some(tail.live()),
            Reading::NextOwner(_) | Reading::Nothing => None,
        }
    }

    /// Adds to `batch` what can be read now, or says what else there is.
    ///
    /// # Errors
    /// Storage failed for the follower, or for the turn's owner, who will go on with it later. What was read so far stays
    /// valid, and asking again goes on waiting.
    pub(super) fn poll_next(
        &mut self,
        context: &mut Context<'_>,
        batch: &mut Vec<TurnEvent>,
    ) -> Poll<Result<LogNews, StoreError>> {
        loop {
            if let Some(snapshot) = self.snapshot.take() {
                self.from = FollowFrom::After(snapshot.cursor);
                return Poll::Ready(Ok(LogNews::Resync(snapshot)));
            }
            match &mut self.reading {
                Reading::Log(tail) => {
                    if ready!(tail.poll_batch(context, batch)) {
                        let progress = tail.take_progress();
                        if !progress.is_empty() {
                            return Poll::Ready(Ok(LogNews::Progress(progress)));
                        }
                        if let Some(last) = batch.last() {
                            self.from = FollowFrom::After(last.cursor(self.number));
                        }
                        return Poll::Ready(Ok(LogNews::Events));
                    }
                    let live = tail.live();
                    if live.read(TurnLog::has_ended) {
                        return Poll::Ready(Ok(LogNews::End));
                    }
                    let fault = live.fault().filter(|_| !std::mem::replace(&mut self.told, true));
                    if let Some(fault) = fault {
                        return Poll::Ready(Err(fault));
                    }
                    self.reading = self.next_owner();
                }
                Reading::NextOwner(found) => match ready!(found.as_mut().poll(context)) {
                    Ok(Entered { tail, snapshot }) => {
                        (self.reading, self.snapshot, self.told) = (Reading::Log(tail), snapshot, false);
                    }
                    Err(StoreError::NotFound) => self.reading = Reading::Nothing,
                    Err(error) => {
                        self.reading = self.next_owner();
                        return Poll::Ready(Err(error));
                    }
                },
                Reading::Nothing => return Poll::Ready(Ok(LogNews::Gone)),
            }
        }
    }

    fn next_owner(&self) -> Reading {
        Reading::NextOwner(Box::pin(self.followed.clone().next_owner(self.from)))
    }
}
