//! Following a turn from anywhere: replayed from the store, live from memory, and never a gap in silence.

use turnkit_core::{Cursor, Scope, StoreError, TurnId};

use super::TurnService;
use super::accept::Receipt;
use super::followed::FollowedSession;
use super::turn_feed::TurnFeed;

/// Where a follower of a turn begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FollowFrom {
    /// At its start.
    Start,
    /// After what the cursor names: the last thing the follower has seen.
    After(Cursor),
    /// At its start again, if what the cursor names is known: for a follower that has to see everything to go on where it
    /// was.
    Replay(Cursor),
}

impl From<Option<Cursor>> for FollowFrom {
    /// After what the follower has seen; at the start if that is nothing.
    fn from(seen: Option<Cursor>) -> Self {
        seen.map_or(Self::Start, Self::After)
    }
}

/// Why something cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FollowError {
    /// The turn ended so long ago that its log was forgotten.
    #[error("the turn is over and its events are not kept any more: what was said is in the session's messages")]
    Expired,
    /// There is no such thing for this owner, or storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
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

    /// Follows a turn from its start for whoever has just asked for it with this `scope`. While it is in memory, nothing is
    /// read.
    ///
    /// # Errors
    /// As [`follow`](Self::follow).
    pub async fn follow_accepted(&self, scope: &Scope, receipt: &Receipt) -> Result<TurnFeed, FollowError> {
        let (turn, from) = (receipt.turn, FollowFrom::Start);
        let Some(live) = self.inner.parts.broker.find(turn) else { return self.follow(scope, turn, from).await };
        let followed = FollowedSession::new(self, scope, receipt.session).turn(turn);
        Ok(TurnFeed::new(followed.enter(&live, from).await?, followed, from))
    }
}
