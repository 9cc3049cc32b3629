//! Following a turn: exactly what comes after the follower's place, replayed from the store and then live from memory.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::task::{Context, Poll, ready};

use turnkit_core::ports::BoxFuture;
use turnkit_core::{Scope, SessionId, Snapshot, StoreError, Tail, TurnEvent, TurnId, TurnLog};

use super::TurnService;
use super::accept::Receipt;
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

/// What a feed has for its follower.
#[derive(Debug, Clone, PartialEq)]
pub enum TurnNews {
    /// Something happened: the events are in the batch.
    Events,
    /// The follower cannot go on where it was: this is how things stand. What follows comes after it.
    Resync(Box<Snapshot>),
    /// The terminal event was read. Nothing more will come.
    End,
    /// The turn was deleted, or its events are not kept any more, while the follower waited. Nothing more will come.
    Gone,
}

/// What a follower reads, one at a time.
#[derive(Debug, Clone, PartialEq)]
pub enum FeedItem {
    /// Something happened.
    Event(TurnEvent),
    /// The follower cannot go on where it was: this is how things stand. What follows comes after it.
    Resync(Box<Snapshot>),
}

/// One follower of a turn. It ends after the terminal event, or with the turn's session; dropping it changes nothing for the turn.
pub struct TurnFeed {
    followed: FollowedTurn,
    number: u32,
    reading: Reading,
    snapshot: Option<Box<Snapshot>>,
    /// Where to go on with the turn's next owner.
    from: FollowFrom,
    /// Whether the follower knows that the turn's owner could not write.
    told: bool,
    /// Events that were read and not yet handed out one at a time.
    ready: VecDeque<TurnEvent>,
}

enum Reading {
    /// The turn's log, live or stored.
    Log(Tail),
    /// Looking for who goes on with it.
    NextOwner(BoxFuture<'static, Result<Entered, StoreError>>),
    /// There is no such turn any more.
    Nothing,
}

impl TurnService {
    /// Follows a turn. The feed gives exactly what comes after the place where it begins. If the log does not know that
    /// place, it gives a snapshot first, and then what comes after that.
    ///
    /// # Errors
    /// `Expired` once the log of an ended turn has been forgotten; `NotFound`; otherwise storage failed.
    pub async fn follow(&self, scope: &Scope, turn: TurnId, from: FollowFrom) -> Result<TurnFeed, FollowError> {
        let record = self.inner.parts.store.turn(scope, turn).await?;
        let followed = FollowedSession::new(self, scope, record.session).turn(turn);
        let Some(live) = followed.log().await? else {
            return Err(if record.ended_at.is_some() { FollowError::Expired } else { StoreError::NotFound.into() });
        };
        Ok(TurnFeed::new(followed.enter(&live, from).await?, followed, from))
    }

    /// Follows a turn from its start, for the caller that submitted it with this `scope`. While it is in memory, nothing is
    /// read.
    ///
    /// # Errors
    /// As [`follow`](Self::follow).
    pub async fn follow_accepted(&self, scope: &Scope, receipt: &Receipt) -> Result<TurnFeed, FollowError> {
        let (turn, from) = (receipt.turn, FollowFrom::Start);
        let Some(live) = self.turns().find(turn) else { return self.follow(scope, turn, from).await };
        let followed = FollowedSession::new(self, scope, receipt.session).turn(turn);
        Ok(TurnFeed::new(followed.enter(&live, from).await?, followed, from))
    }
}

impl TurnFeed {
    pub(super) fn new(entered: Entered, followed: FollowedTurn, from: FollowFrom) -> Self {
        let Entered { tail, snapshot } = entered;
        let number = tail.live().read(TurnLog::number);
        Self { followed, number, reading: Reading::Log(tail), snapshot, from, told: false, ready: VecDeque::new() }
    }

    /// The turn.
    pub fn turn(&self) -> TurnId {
        self.followed.id
    }

    /// Its session.
    pub fn session(&self) -> SessionId {
        self.followed.session.id
    }

    /// The turn's number in its session: what an event's cursor is made with.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Adds to `batch` what can be read now, or says what else there is.
    ///
    /// # Errors
    /// Storage failed for the follower, or for the turn's owner, who will go on with it later. What was read so far stays
    /// valid, and asking again goes on waiting.
    pub fn poll_next(
        &mut self,
        context: &mut Context<'_>,
        batch: &mut Vec<TurnEvent>,
    ) -> Poll<Result<TurnNews, StoreError>> {
        if !self.ready.is_empty() {
            batch.extend(self.ready.drain(..));
            return Poll::Ready(Ok(TurnNews::Events));
        }
        loop {
            if let Some(snapshot) = self.snapshot.take() {
                self.from = FollowFrom::After(snapshot.cursor);
                return Poll::Ready(Ok(TurnNews::Resync(snapshot)));
            }
            match &mut self.reading {
                Reading::Log(tail) => {
                    if ready!(tail.poll_batch(context, batch)) {
                        if let Some(last) = batch.last() {
                            self.from = FollowFrom::After(last.cursor(self.number));
                        }
                        return Poll::Ready(Ok(TurnNews::Events));
                    }
                    let live = tail.live();
                    if live.read(TurnLog::has_ended) {
                        return Poll::Ready(Ok(TurnNews::End));
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
                Reading::Nothing => return Poll::Ready(Ok(TurnNews::Gone)),
            }
        }
    }

    /// What comes next. `None` after the terminal event, or if the turn is gone.
    ///
    /// # Errors
    /// As [`poll_next`](Self::poll_next).
    pub async fn next(&mut self) -> Result<Option<FeedItem>, StoreError> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Ok(Some(FeedItem::Event(event)));
            }
            let mut batch = Vec::new();
            match poll_fn(|context| self.poll_next(context, &mut batch)).await? {
                TurnNews::Events => self.ready = batch.into(),
                TurnNews::Resync(snapshot) => return Ok(Some(FeedItem::Resync(snapshot))),
                TurnNews::End | TurnNews::Gone => return Ok(None),
            }
        }
    }

    fn next_owner(&self) -> Reading {
        Reading::NextOwner(Box::pin(self.followed.clone().next_owner(self.from)))
    }
}
