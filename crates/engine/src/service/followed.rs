//! What somebody follows, and finding its log: the live one, the stored one, or the one of whoever goes on with it.

use std::sync::Arc;
use std::time::Duration;

use turnkit_core::{Cursor, LiveTurn, Scope, SessionId, Snapshot, StoreError, Tail, TurnId, TurnLog};

use super::follow::FollowFrom;
use super::{ServiceParts, TurnService};

/// How long a follower waits, if nothing is said to change, before it looks again whether somebody runs the turn; it
/// doubles up to the longest.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// A session somebody follows.
#[derive(Clone)]
pub(super) struct FollowedSession {
    pub(super) service: TurnService,
    pub(super) scope: Scope,
    pub(super) id: SessionId,
}

/// A turn somebody follows.
#[derive(Clone)]
pub(super) struct FollowedTurn {
    pub(super) session: FollowedSession,
    pub(super) id: TurnId,
}

/// A place in a log, and how things stand there if it is not the one that was wanted.
pub(super) struct Entered {
    pub(super) tail: Tail,
    pub(super) snapshot: Option<Box<Snapshot>>,
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
}

impl FollowedTurn {
    /// The turn's log: the live one, or what is stored of it. `None` if it is not known, or not any more. Whose turn it is was
    /// looked at before.
    pub(super) async fn log(&self) -> Result<Option<Arc<LiveTurn>>, StoreError> {
        let (parts, scope) = (self.session.parts(), &self.session.scope);
        if let Some(live) = parts.broker.find(self.id) {
            return Ok(Some(live));
        }
        let restored = &self.session.service.inner.restored;
        if let Some(live) = restored.find(self.id) {
            return Ok(Some(live));
        }
        let stored = match parts.store.log(scope, self.id).await {
            Err(StoreError::NotFound) => return Ok(None),
            stored => stored?,
        };
        let fence = stored.chunks.last().map(|chunk| chunk.fence).unwrap_or_default();
        let live = LiveTurn::new(TurnLog::restore(stored, fence));
        live.close();
        Ok(Some(restored.share(self.id, live)))
    }

    /// Enters the log where the follower wants to, or else where it stands now.
    pub(super) async fn enter(&self, live: &Arc<LiveTurn>, from: FollowFrom) -> Result<Entered, StoreError> {
        let after = match from {
            FollowFrom::Start => Some(0),
            FollowFrom::After(cursor) => knows(live, cursor).then_some(cursor.seq),
            FollowFrom::Replay(cursor) => knows(live, cursor).then_some(0),
        };
        match after {
            Some(after) => Ok(Entered { tail: live.tail(after), snapshot: None }),
            None => self.resync(live).await,
        }
    }

    /// Nobody runs the turn: it waits for its session, a person or a slot, or for storage. Goes on with its next owner.
    pub(super) async fn next_owner(self, from: FollowFrom) -> Result<Entered, StoreError> {
        let (parts, scope) = (self.session.parts(), &self.session.scope);
        let mut changes = parts.broker.changes(self.session.id).watch();
        let mut pause = FIRST_PAUSE;
        loop {
            if let Some(live) = parts.broker.find(self.id) {
                return self.enter(&live, from).await;
            }
            if parts.store.turn(scope, self.id).await?.ended_at.is_some() {
                let live = self.log().await?.ok_or(StoreError::NotFound)?;
                return self.enter(&live, from).await;
            }
            tokio::select! {
                biased;
                () = changes.changed() => {}
                () = tokio::time::sleep(pause) => pause = (pause * 2).min(LONGEST_PAUSE),
            }
        }
    }
}

/// Whether the log still has what a cursor names.
pub(super) fn knows(live: &LiveTurn, cursor: Cursor) -> bool {
    live.read(|log| cursor.turn == log.number() && log.fence_of(cursor.seq) == Some(cursor.fence))
}
