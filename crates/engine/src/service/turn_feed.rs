//! Follows a turn: its events, and the pending waits of the turn and of the sub-agents' turns below it.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::task::{Context, Poll};

use turnkit_core::{Scope, SessionId, Snapshot, StoreError, ToolProgress, TurnEvent, TurnId, Wait};

use super::TurnService;
use super::accept::Receipt;
use super::followed::{FollowFrom, FollowedSession, FollowedTurn, LogPosition};
use super::log_feed::{FollowError, LogFeed, LogUpdate};
use super::pending_waits::{PendingWaits, WaitChange, undecided};

/// The result of one read of a turn's feed. Events are added to the batch of the caller.
#[derive(Debug, Clone, PartialEq)]
pub enum TurnUpdate {
    /// Events were added to the batch.
    Events,
    /// The follower cannot continue where it left off. Later items apply on top of this snapshot.
    Resync(Box<Snapshot>),
    /// The pending waits of the turn and of the sub-agents' turns below it changed. These are all of them.
    Pending(Vec<Wait>),
    /// Progress reports of running calls.
    Progress(Vec<ToolProgress>),
    /// The terminal event was read. No further items follow.
    End,
    /// The turn was deleted, or its events are no longer kept, while the follower waited. No further items follow.
    Gone,
}

/// The next item of a turn's feed. Events are passed one at a time.
#[derive(Debug, Clone, PartialEq)]
pub enum FeedItem {
    /// An event of the turn.
    Event(TurnEvent),
    /// The follower cannot continue where it left off. Later items apply on top of this snapshot.
    Resync(Box<Snapshot>),
    /// The pending waits of the turn and of the sub-agents' turns below it changed. These are all of them.
    Pending(Vec<Wait>),
    /// A progress report of a running call.
    Progress(ToolProgress),
}

/// A follower of a turn. The feed ends after the terminal event, or with the turn's session. Dropping it does not
/// affect the turn.
pub struct TurnFeed {
    log: LogFeed,
    /// The pending waits, once the turn has waited for something.
    pending: Option<Box<PendingWaits>>,
    /// Events that were read but not yet returned by `next`.
    ready: VecDeque<TurnEvent>,
    /// Reports that were read but not yet returned by `next`.
    progress: VecDeque<ToolProgress>,
}

impl TurnService {
    /// Follows a turn. The feed returns exactly the items after its starting position. If the log does not know that
    /// position, the feed returns a snapshot first, and then the items after it.
    ///
    /// # Errors
    /// `Expired` if the log of an ended turn is no longer kept; `NotFound`; otherwise storage failed.
    pub async fn follow(&self, scope: &Scope, turn: TurnId, from: FollowFrom) -> Result<TurnFeed, FollowError> {
        Ok(TurnFeed::from_log(LogFeed::open(self, scope, turn, from).await?, from))
    }

    /// Follows a turn from its start, for the caller that submitted it with this `scope`. While the turn is in memory,
    /// nothing is read from the store.
    ///
    /// # Errors
    /// See [`follow`](Self::follow).
    pub async fn follow_accepted(&self, scope: &Scope, receipt: &Receipt) -> Result<TurnFeed, FollowError> {
        let (turn, from) = (receipt.turn, FollowFrom::Start);
        let Some(live) = self.turns().find(turn) else { return self.follow(scope, turn, from).await };
        let followed = FollowedSession::new(self, scope, receipt.session).turn(turn);
        Ok(TurnFeed::new(followed.open_at(&live, from).await?, followed, from))
    }
}

impl TurnFeed {
    pub(super) fn new(entered: LogPosition, followed: FollowedTurn, from: FollowFrom) -> Self {
        Self::from_log(LogFeed::new(entered, followed, from), from)
    }

    fn from_log(log: LogFeed, from: FollowFrom) -> Self {
        let mut feed = Self { log, pending: None, ready: VecDeque::new(), progress: VecDeque::new() };
        if from != FollowFrom::Start {
            feed.catch_up();
        }
        feed
    }

    /// Returns the id of the turn.
    pub fn turn(&self) -> TurnId {
        self.log.followed.id
    }

    /// Returns the id of the turn's session.
    pub fn session(&self) -> SessionId {
        self.log.followed.session.id
    }

    /// Returns the turn's number in its session, which is part of its events' cursors.
    pub fn number(&self) -> u32 {
        self.log.number
    }

    /// Adds the events that can be read now to `batch`, or returns another item.
    ///
    /// # Errors
    /// Storage failed for the follower, or for the turn's owner, which will continue later. Everything read so far
    /// stays valid, and polling again continues to wait.
    pub fn poll_next(
        &mut self,
        context: &mut Context<'_>,
        batch: &mut Vec<TurnEvent>,
    ) -> Poll<Result<TurnUpdate, StoreError>> {
        if !self.ready.is_empty() {
            batch.extend(self.ready.drain(..));
            return Poll::Ready(Ok(TurnUpdate::Events));
        }
        let read = batch.len();
        match self.log.poll_next(context, batch)? {
            Poll::Ready(LogUpdate::Events) => {
                batch[read..].iter().filter_map(WaitChange::from_event).for_each(|change| self.note(change));
                Poll::Ready(Ok(TurnUpdate::Events))
            }
            Poll::Ready(LogUpdate::Resync(snapshot)) => {
                self.catch_up();
                Poll::Ready(Ok(TurnUpdate::Resync(snapshot)))
            }
            Poll::Ready(LogUpdate::Progress(progress)) => Poll::Ready(Ok(TurnUpdate::Progress(progress))),
            Poll::Ready(LogUpdate::End) => Poll::Ready(Ok(TurnUpdate::End)),
            Poll::Ready(LogUpdate::Gone) => Poll::Ready(Ok(TurnUpdate::Gone)),
            Poll::Pending => match &mut self.pending {
                Some(pending) => pending.poll(context).map_ok(TurnUpdate::Pending),
                None => Poll::Pending,
            },
        }
    }

    /// Returns the next item, or `None` after the terminal event or if the turn is gone.
    ///
    /// # Errors
    /// See [`poll_next`](Self::poll_next).
    pub async fn next(&mut self) -> Result<Option<FeedItem>, StoreError> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Ok(Some(FeedItem::Event(event)));
            }
            if let Some(progress) = self.progress.pop_front() {
                return Ok(Some(FeedItem::Progress(progress)));
            }
            let mut batch = Vec::new();
            match poll_fn(|context| self.poll_next(context, &mut batch)).await? {
                TurnUpdate::Events => self.ready = batch.into(),
                TurnUpdate::Resync(snapshot) => return Ok(Some(FeedItem::Resync(snapshot))),
                TurnUpdate::Pending(waits) => return Ok(Some(FeedItem::Pending(waits))),
                TurnUpdate::Progress(progress) => self.progress = progress.into(),
                TurnUpdate::End | TurnUpdate::Gone => return Ok(None),
            }
        }
    }

    /// Records the waits from events that the follower does not receive.
    fn catch_up(&mut self) {
        let changes = self.log.log().map(|log| log.read(undecided)).unwrap_or_default();
        changes.into_iter().for_each(|change| self.note(change));
    }

    fn note(&mut self, change: WaitChange) {
        let Self { log, pending, .. } = self;
        pending.get_or_insert_with(|| Box::new(PendingWaits::for_turn(&log.followed))).note(change);
    }
}
