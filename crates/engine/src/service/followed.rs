//! A followed turn: finds its log in memory or in the store, and enters it where the follower left off.

use std::sync::Arc;
use std::time::Duration;

use turnkit_core::ports::SessionState;
use turnkit_core::{
    Cursor, LiveTurn, Scope, SessionId, Snapshot, StoreError, Tail, TurnId, TurnLog, TurnState, WorkerId,
};

use super::snapshot::{LogSnapshot, Snapshots};
use super::{ServiceParts, TurnService};

/// The first pause before a follower looks again for an owner of the turn, if no change is signalled. The pause doubles
/// up to the longest.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const MAX_PAUSE: Duration = Duration::from_secs(30);
/// How often the store is read for a follower of a turn whose owner cannot be reached.
const UNREACHABLE_PAUSE: Duration = Duration::from_millis(500);

/// The position at which a follower of a turn begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FollowFrom {
    /// At the start of the turn.
    Start,
    /// After the event named by the cursor, the last one that the follower has seen.
    After(Cursor),
    /// At the start of the turn, if the event named by the cursor is known. For a follower that has to read all events
    /// in order to continue where it left off.
    Replay(Cursor),
}

impl From<Option<Cursor>> for FollowFrom {
    /// After the last event that the follower has seen, or at the start if there is none.
    fn from(seen: Option<Cursor>) -> Self {
        seen.map_or(Self::Start, Self::After)
    }
}

/// A turn with a follower.
#[derive(Clone)]
pub(super) struct FollowedTurn {
    pub(super) session: FollowedSession,
    pub(super) id: TurnId,
}

/// The place in a turn's log where a follower continues, with a snapshot if it is not the requested place.
pub(super) struct LogPosition {
    pub(super) tail: Tail,
    pub(super) snapshot: Option<Box<Snapshot>>,
}

impl FollowedTurn {
    /// Finds the turn's log: the live one of this process or of its owner, or the stored one. Returns `None` if the
    /// turn has no log, or none any more. The caller has checked that the caller may read the turn.
    pub(super) async fn log(&self) -> Result<Option<Arc<LiveTurn>>, StoreError> {
        let (parts, scope) = (self.session.parts(), &self.session.scope);
        if let Some(live) = parts.broker.turns().find(self.id) {
            return Ok(Some(live));
        }
        if self.session.service.inner.lease.is_timed() {
            let owner = match parts.store.turn(scope, self.id).await {
                Err(StoreError::NotFound) => return Ok(None),
                record => record?.owner,
            };
            if let Some(mirror) = self.mirror(owner).await {
                return Ok(Some(mirror));
            }
        }
        self.read_log().await
    }

    /// Follows the turn at its owner, if the owner is another process and can be reached.
    async fn mirror(&self, owner: Option<WorkerId>) -> Option<Arc<LiveTurn>> {
        let owner = self.session.service.other_than_this(owner)?;
        let followed = self.session.parts().broker.follow(self.id, &owner).await;
        followed.inspect_err(|error| tracing::debug!(turn = %self.id, %error, "could not follow the turn")).ok()
    }

    /// Reads the turn's log from the store. If this process runs the turn by now, returns the live log instead: the
    /// store has a commit a moment before the live log shows it, and a follower that is ahead of the live log would be
    /// lost there.
    async fn read_log(&self) -> Result<Option<Arc<LiveTurn>>, StoreError> {
        let (parts, scope) = (self.session.parts(), &self.session.scope);
        let stored = match parts.store.log(scope, self.id).await {
            Err(StoreError::NotFound) => return Ok(None),
            stored => stored?,
        };
        if let Some(live) = parts.broker.turns().find(self.id) {
            return Ok(Some(live));
        }
        let fence = stored.chunks.last().map(|chunk| chunk.fence).unwrap_or_default();
        let live = LiveTurn::new(TurnLog::restore(stored, fence));
        live.close();
        Ok(Some(parts.broker.turns().share(self.id, live)))
    }

    /// Opens the log at the requested place, or else at its current end with a snapshot.
    pub(super) async fn open_at(&self, live: &Arc<LiveTurn>, from: FollowFrom) -> Result<LogPosition, StoreError> {
        let after = match from {
            FollowFrom::Start => Some(0),
            FollowFrom::After(cursor) => knows(live, cursor).then_some(cursor.seq),
            FollowFrom::Replay(cursor) => knows(live, cursor).then_some(0),
        };
        if let Some(after) = after {
            return Ok(LogPosition { tail: live.tail(after), snapshot: None });
        }
        let LogSnapshot { turn, cursor, tail } = LogSnapshot::new(self.id, live);
        let state = self.session.state().await?;
        let snapshot = self.session.snapshots().take(state, Some(turn), cursor).await?;
        Ok(LogPosition { tail, snapshot: Some(Box::new(snapshot)) })
    }

    /// Waits for the turn's next owner or for its end, and opens the log there. Until then the turn has no owner: it
    /// waits for its session, a person, a slot or storage.
    pub(super) async fn next_owner(self, from: FollowFrom) -> Result<LogPosition, StoreError> {
        let (parts, scope) = (self.session.parts(), &self.session.scope);
        let mut changes = parts.broker.changes(self.session.id).watch();
        let mut pause = FIRST_PAUSE;
        loop {
            if let Some(live) = parts.broker.turns().find(self.id) {
                return self.open_at(&live, from).await;
            }
            let record = parts.store.turn(scope, self.id).await?;
            if record.ended_at.is_some() {
                let live = self.read_log().await?.ok_or(StoreError::NotFound)?;
                return self.open_at(&live, from).await;
            }
            let is_elsewhere = self.session.service.other_than_this(record.owner.clone()).is_some();
            if let Some(mirror) = self.mirror(record.owner).await {
                return self.open_at(&mirror, from).await;
            }
            // The stored log is shown although no owner can be followed. Either the owner cannot be reached, or the
            // turn waits again after a run that began and ended before the follower looked.
            if is_elsewhere || record.state == TurnState::Waiting {
                let log = self.read_log().await?.filter(|log| !log.is_closed() || has_events_after(log, from));
                if let Some(log) = log {
                    return self.open_at(&log, from).await;
                }
            }
            if is_elsewhere {
                pause = UNREACHABLE_PAUSE;
            }
            tokio::select! {
                biased;
                () = changes.changed() => {}
                () = tokio::time::sleep(pause) => pause = (pause * 2).min(MAX_PAUSE),
            }
        }
    }
}

/// Reports whether the log still has the event named by a cursor.
pub(super) fn knows(live: &LiveTurn, cursor: Cursor) -> bool {
    live.read(|log| cursor.turn == log.number() && log.fence_of(cursor.seq) == Some(cursor.fence))
}

/// Reports whether the log has events that a follower beginning at `from` has not read.
fn has_events_after(live: &LiveTurn, from: FollowFrom) -> bool {
    let read = match from {
        FollowFrom::Start => 0,
        FollowFrom::After(cursor) | FollowFrom::Replay(cursor) => cursor.seq,
    };
    live.read(TurnLog::last_visible_seq) > read
}

/// A session with a follower, which reads all of its turns or one.
#[derive(Clone)]
pub(super) struct FollowedSession {
    pub(super) service: TurnService,
    pub(super) scope: Scope,
    pub(super) id: SessionId,
}

impl FollowedSession {
    pub(super) fn new(service: &TurnService, scope: &Scope, id: SessionId) -> Self {
        Self { service: service.clone(), scope: scope.clone(), id }
    }

    pub(super) fn turn(&self, id: TurnId) -> FollowedTurn {
        FollowedTurn { session: self.clone(), id }
    }

    pub(super) fn parts(&self) -> &ServiceParts {
        &self.service.inner.parts
    }

    /// Reads the current state of the session.
    pub(super) async fn state(&self) -> Result<SessionState, StoreError> {
        self.parts().store.state(&self.scope, self.id).await
    }

    pub(super) fn snapshots(&self) -> Snapshots<'_> {
        Snapshots { store: self.parts().store.as_ref(), scope: &self.scope, session: self.id }
    }
}
