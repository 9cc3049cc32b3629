//! A follower of a session. It reads all turns of the session, one after the other, and the queue.

use std::future::poll_fn;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::time::{Interval, interval};
use turnkit_core::ports::BoxFuture;
use turnkit_core::{
    Cursor, Fence, QueuedTurn, Scope, SessionId, Snapshot, StoreError, Tail, ToolProgress, TurnEvent, TurnId, Wait,
    Watch,
};

use super::TurnService;
use super::followed::{FollowFrom, FollowedSession, FollowedTurn, LogPosition, knows};
use super::snapshot::LogSnapshot;
use super::turn_feed::{TurnFeed, TurnUpdate};

/// How often a feed checks a session that other processes may change.
const CHECK_INTERVAL: Duration = Duration::from_secs(2);

/// The result of one read of a session's feed. Events are added to the batch of the caller.
#[derive(Debug, Clone, PartialEq)]
pub enum SessionUpdate {
    /// Events of a turn were added to the batch.
    Events {
        /// The turn.
        turn: TurnId,
        /// The turn's number in the session, which is part of its events' cursors.
        number: u32,
    },
    /// The follower is new, or cannot continue where it left off. Later items apply on top of this snapshot.
    Resync(Box<Snapshot>),
    /// The queue of the session changed. These are the turns in it now, the next one first.
    Queue(Vec<QueuedTurn>),
    /// The pending waits of a turn and of the sub-agents' turns below it changed.
    Pending {
        /// The turn.
        turn: TurnId,
        /// All pending waits.
        waits: Vec<Wait>,
    },
    /// Progress reports of a turn's running calls.
    Progress {
        /// The turn.
        turn: TurnId,
        /// The last report of each call.
        progress: Vec<ToolProgress>,
    },
    /// The session was deleted. No further items follow.
    Gone,
}

/// A follower of a session. The feed ends only with the session.
pub struct SessionFeed {
    session: FollowedSession,
    changes: Watch,
    /// Whether something may have changed since the last check.
    stale: bool,
    /// When to check although no change was signalled: signals of other processes can be lost. Absent without other
    /// processes.
    check_interval: Option<Interval>,
    /// A check of the queue and for the next turn, while it is in progress.
    checking: Option<BoxFuture<'static, Result<SessionCheck, StoreError>>>,
    position: Position,
    /// The queue that the follower knows.
    queue: Option<Vec<TurnId>>,
    /// Whether the session was deleted.
    gone: bool,
}

/// The position of a follower in a session.
struct Position {
    /// The number of the last turn that was read, or is being read.
    number: u32,
    /// The turn that is being read.
    turn: Option<TurnFeed>,
    /// A snapshot of the session at this position, if the follower needs one.
    snapshot: Option<Box<Snapshot>>,
}

/// The result of checking a session.
struct SessionCheck {
    /// The queue, if it differs from the known one.
    queue: Option<Vec<QueuedTurn>>,
    /// The position after the turn that was read last.
    next: Option<Position>,
}

impl TurnService {
    /// Follows a session over all its turns, starting after the event that `cursor` names. Without a cursor, or if that
    /// event is no longer known, the feed starts with a snapshot.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    pub async fn follow_session(
        &self,
        scope: &Scope,
        session: SessionId,
        cursor: Option<Cursor>,
    ) -> Result<SessionFeed, StoreError> {
        let changes = self.inner.parts.broker.changes(session).watch();
        let session = FollowedSession::new(self, scope, session);
        let known = match cursor {
            Some(cursor) => session.resume(cursor).await?,
            None => None,
        };
        let position = match known {
            Some(position) => position,
            None => session.resync().await?,
        };
        let check_interval = self.inner.lease.is_timed().then(|| interval(CHECK_INTERVAL));
        Ok(SessionFeed {
            session,
            changes,
            stale: true,
            check_interval,
            checking: None,
            position,
            queue: None,
            gone: false,
        })
    }
}

impl SessionFeed {
    /// Adds all events of one turn that can be read now to `batch`, or returns another item.
    ///
    /// # Errors
    /// Storage failed for the follower, or for the turn's owner, which will continue later. Everything read so far
    /// stays valid, and polling again continues to wait.
    pub fn poll_next(
        &mut self,
        context: &mut Context<'_>,
        batch: &mut Vec<TurnEvent>,
    ) -> Poll<Result<SessionUpdate, StoreError>> {
        loop {
            if let Some(snapshot) = self.position.snapshot.take() {
                self.queue = Some(ids(&snapshot.queue));
                return Poll::Ready(Ok(SessionUpdate::Resync(snapshot)));
            }
            match self.poll_check(context) {
                Poll::Ready(Ok(Some(queue))) => return Poll::Ready(Ok(SessionUpdate::Queue(queue))),
                Poll::Ready(Ok(None)) => continue,
                Poll::Ready(Err(StoreError::NotFound)) => self.gone = true,
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => {}
            }
            // The queue is reported before anything else. A turn is read to its end even if the session is gone.
            let turn = match &mut self.position.turn {
                Some(turn) if self.queue.is_some() || self.gone => turn,
                None if self.gone => return Poll::Ready(Ok(SessionUpdate::Gone)),
                _ => return Poll::Pending,
            };
            match ready!(turn.poll_next(context, batch)) {
                Ok(TurnUpdate::Events) => {
                    return Poll::Ready(Ok(SessionUpdate::Events { turn: turn.turn(), number: turn.number() }));
                }
                Ok(TurnUpdate::Resync(snapshot)) => self.position.snapshot = Some(snapshot),
                Ok(TurnUpdate::Pending(waits)) => {
                    return Poll::Ready(Ok(SessionUpdate::Pending { turn: turn.turn(), waits }));
                }
                Ok(TurnUpdate::Progress(progress)) => {
                    return Poll::Ready(Ok(SessionUpdate::Progress { turn: turn.turn(), progress }));
                }
                // A turn is deleted only with its session, whose deletion the next check finds.
                Ok(TurnUpdate::End | TurnUpdate::Gone) => {
                    self.position.turn = None;
                    self.stale = true;
                }
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }

    /// Returns the next item. Events are added to `batch`.
    ///
    /// # Errors
    /// See [`poll_next`](Self::poll_next).
    pub async fn next(&mut self, batch: &mut Vec<TurnEvent>) -> Result<SessionUpdate, StoreError> {
        poll_fn(|context| self.poll_next(context, batch)).await
    }

    /// Checks the session if a check is due. Returns its queue if the follower does not know it. Returns `Pending` if
    /// no check is due or the check is still in progress.
    fn poll_check(&mut self, context: &mut Context<'_>) -> Poll<Result<Option<Vec<QueuedTurn>>, StoreError>> {
        while self.changes.poll_changed(context).is_ready() {
            self.stale = true;
        }
        while self.check_interval.as_mut().is_some_and(|check_interval| check_interval.poll_tick(context).is_ready()) {
            self.stale = true;
        }
        if self.checking.is_none() {
            if self.gone || !std::mem::take(&mut self.stale) {
                return Poll::Pending;
            }
            let after = self.position.turn.is_none().then_some(self.position.number);
            self.checking = Some(Box::pin(self.session.clone().check(self.queue.clone(), after)));
        }
        let Some(checking) = &mut self.checking else { return Poll::Pending };
        let checked = ready!(checking.as_mut().poll(context));
        self.checking = None;
        let SessionCheck { queue, next } = match checked {
            Ok(check) => check,
            Err(error) => {
                self.stale = true;
                return Poll::Ready(Err(error));
            }
        };
        if let Some(next) = next {
            self.position = next;
        }
        // By the time it was read, the queue may have been the known one again.
        let queue = queue.filter(|queue| self.queue.as_ref() != Some(&ids(queue)));
        if let Some(queue) = &queue {
            self.queue = Some(ids(queue));
        }
        Poll::Ready(Ok(queue))
    }
}

impl FollowedSession {
    /// Reads the queue, unless it equals `known`, and the turn after number `after`.
    async fn check(self, known: Option<Vec<TurnId>>, after: Option<u32>) -> Result<SessionCheck, StoreError> {
        let sessions = &self.parts().store;
        let waiting = sessions.unfinished_turns(&self.scope, self.id).await?.queue;
        let queue = match known {
            Some(known) if known == waiting => None,
            _ => Some(sessions.queue(&self.scope, self.id).await?),
        };
        let next = match after {
            Some(after) => self.next(after).await?,
            None => None,
        };
        Ok(SessionCheck { queue, next })
    }

    /// Returns the position after the event that `cursor` names, if that event is known.
    async fn resume(&self, cursor: Cursor) -> Result<Option<Position>, StoreError> {
        let Some(before) = cursor.turn.checked_sub(1) else { return Ok(None) };
        if cursor.seq == 0 {
            let begun = self.begun(before.max(1)).await?;
            let known = before == 0 || begun.is_some();
            return Ok(known.then_some(Position { number: before, turn: None, snapshot: None }));
        }
        let Some(turn) = self.begun(cursor.turn).await? else { return Ok(None) };
        let live = turn.log().await?.filter(|live| knows(live, cursor));
        Ok(live.map(|live| Position::in_turn(turn, live.tail(cursor.seq), FollowFrom::After(cursor))))
    }

    /// Returns the start of the turn after number `after`, if that turn has begun.
    async fn next(&self, after: u32) -> Result<Option<Position>, StoreError> {
        let number = after.saturating_add(1);
        let Some(turn) = self.begun(number).await? else { return Ok(None) };
        if let Some(live) = turn.log().await? {
            return Ok(Some(Position::in_turn(turn, live.tail(0), FollowFrom::Start)));
        }
        // The turn's log is no longer kept.
        let now = self.resync().await?;
        Ok(Some(Position { number: now.number.max(number), ..now }))
    }

    /// Returns the turn with this number, if it has begun or ended. A later turn that has ended is not returned before
    /// one that waits.
    async fn begun(&self, number: u32) -> Result<Option<FollowedTurn>, StoreError> {
        let found = self.parts().store.turn_after(&self.scope, self.id, number.saturating_sub(1)).await?;
        Ok(found.filter(|(_, found)| *found == number).map(|(turn, _)| self.turn(turn)))
    }

    /// Returns the current end of the session, with a snapshot. The end is in the last turn that began. It is after
    /// that turn if its log is no longer kept, or if the head was moved to another turn since. The snapshot shows the
    /// head's turn, which is built from messages if it has no log.
    async fn resync(&self) -> Result<Position, StoreError> {
        let state = self.state().await?;
        let head = state.head.map(|(turn, number)| (self.turn(turn), number));
        let live = match &head {
            Some((head, _)) => head.log().await?,
            None => None,
        };
        let last = state.last_begun.map_or(0, |(_, number)| number);
        let after_last = Position { number: last, turn: None, snapshot: None };
        let (turn, cursor, position) = match (head, live) {
            (Some((head, number)), Some(live)) => {
                let LogSnapshot { turn, cursor, tail } = LogSnapshot::new(head.id, &live);
                if number == last {
                    (Some(turn), cursor, Position::in_turn(head, tail, FollowFrom::After(cursor)))
                } else {
                    (Some(turn), Position::after(last), after_last)
                }
            }
            (Some((head, number)), None) => {
                let turn = self.snapshots().turn_without_log(head.id, number).await?;
                (turn, Position::after(last), after_last)
            }
            (None, _) => (None, Position::after(last), after_last),
        };
        let snapshot = self.snapshots().take(state, turn, cursor).await?;
        Ok(Position { snapshot: Some(Box::new(snapshot)), ..position })
    }
}

impl Position {
    fn in_turn(turn: FollowedTurn, tail: Tail, from: FollowFrom) -> Self {
        let feed = TurnFeed::new(LogPosition { tail, snapshot: None }, turn, from);
        Self { number: feed.number(), turn: Some(feed), snapshot: None }
    }

    /// Returns the cursor that names the place after all of turn number `number`.
    fn after(number: u32) -> Cursor {
        Cursor { fence: Fence::default(), turn: number.saturating_add(1), seq: 0, frame: 0 }
    }
}

fn ids(queue: &[QueuedTurn]) -> Vec<TurnId> {
    queue.iter().map(|turn| turn.id).collect()
}
