//! Following a turn: what happens in it, and what it and the turns of sub-agents below it wait for.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::task::{Context, Poll};

use turnkit_core::{Scope, SessionId, Snapshot, StoreError, ToolProgress, TurnEvent, TurnId, Wait};

use super::TurnService;
use super::accept::Receipt;
use super::followed::{Entered, FollowFrom, FollowedSession, FollowedTurn};
use super::log_feed::{FollowError, LogFeed, LogNews};
use super::pending_waits::{PendingWaits, WaitChange, undecided};

/// What a feed has for its follower.
#[derive(Debug, Clone, PartialEq)]
pub enum TurnNews {
    /// Something happened: the events are in the batch.
    Events,
    /// The follower cannot go on where it was: this is how things stand. What follows comes after it.
    Resync(Box<Snapshot>),
    /// The turn and those of sub-agents below it wait for other decisions than the follower was told before: for these.
    Pending(Vec<Wait>),
    /// Calls that run have reported how far they have come.
    Progress(Vec<ToolProgress>),
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
    /// The turn and those of sub-agents below it wait for other decisions than the follower was told before: for these.
    Pending(Vec<Wait>),
    /// A call that runs has reported how far it has come.
    Progress(ToolProgress),
}

/// One follower of a turn. It ends after the terminal event, or with the turn's session; dropping it changes nothing for the turn.
pub struct TurnFeed {
    log: LogFeed,
    /// What the turn waits for, once it has waited for something.
    pending: Option<Box<PendingWaits>>,
    /// Events that were read and not yet handed out one at a time.
    ready: VecDeque<TurnEvent>,
    /// Reports that were read and not yet handed out one at a time.
    progress: VecDeque<ToolProgress>,
}

impl TurnService {
    /// Follows a turn. The feed gives exactly what comes after the place where it begins. If the log does not know that
    /// place, it gives a snapshot first, and then what comes after that.
    ///
    /// # Errors
    /// `Expired` once the log of an ended turn has been forgotten; `NotFound`; otherwise storage failed.
    pub async fn follow(&self, scope: &Scope, turn: TurnId, from: FollowFrom) -> Result<TurnFeed, FollowError> {
        Ok(TurnFeed::of(LogFeed::open(self, scope, turn, from).await?, from))
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
        Self::of(LogFeed::new(entered, followed, from), from)
    }

    fn of(log: LogFeed, from: FollowFrom) -> Self {
        let mut feed = Self { log, pending: None, ready: VecDeque::new(), progress: VecDeque::new() };
        if from != FollowFrom::Start {
            feed.catch_up();
        }
        feed
    }

    /// The turn.
    pub fn turn(&self) -> TurnId {
        self.log.followed.id
    }

    /// Its session.
    pub fn session(&self) -> SessionId {
        self.log.followed.session.id
    }

    /// The turn's number in its session: what an event's cursor is made with.
    pub fn number(&self) -> u32 {
        self.log.number
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
        let read = batch.len();
        match self.log.poll_next(context, batch)? {
            Poll::Ready(LogNews::Events) => {
                batch[read..].iter().filter_map(WaitChange::of).for_each(|change| self.note(change));
                Poll::Ready(Ok(TurnNews::Events))
            }
            Poll::Ready(LogNews::Resync(snapshot)) => {
                self.catch_up();
                Poll::Ready(Ok(TurnNews::Resync(snapshot)))
            }
            Poll::Ready(LogNews::Progress(progress)) => Poll::Ready(Ok(TurnNews::Progress(progress))),
            Poll::Ready(LogNews::End) => Poll::Ready(Ok(TurnNews::End)),
            Poll::Ready(LogNews::Gone) => Poll::Ready(Ok(TurnNews::Gone)),
            Poll::Pending => match &mut self.pending {
                Some(pending) => pending.poll(context).map_ok(TurnNews::Pending),
                None => Poll::Pending,
            },
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
            if let Some(progress) = self.progress.pop_front() {
                return Ok(Some(FeedItem::Progress(progress)));
            }
            let mut batch = Vec::new();
            match poll_fn(|context| self.poll_next(context, &mut batch)).await? {
                TurnNews::Events => self.ready = batch.into(),
                TurnNews::Resync(snapshot) => return Ok(Some(FeedItem::Resync(snapshot))),
                TurnNews::Pending(waits) => return Ok(Some(FeedItem::Pending(waits))),
                TurnNews::Progress(progress) => self.progress = progress.into(),
                TurnNews::End | TurnNews::Gone => return Ok(None),
            }
        }
    }

    /// Notes what the turn waits for by events that the follower is not handed.
    fn catch_up(&mut self) {
        let changes = self.log.log().map(|log| log.read(undecided)).unwrap_or_default();
        changes.into_iter().for_each(|change| self.note(change));
    }

    fn note(&mut self, change: WaitChange) {
        let Self { log, pending, .. } = self;
        pending.get_or_insert_with(|| Box::new(PendingWaits::of(&log.followed))).note(change);
    }
}
