//! Where a follower of a session is, and what comes after that.

use turnkit_core::{Cursor, Fence, Snapshot, StoreError, Tail};

use super::follow::FollowFrom;
use super::followed::{Entered, FollowedSession, FollowedTurn, knows};
use super::turn_feed::TurnFeed;

/// Where a follower of a session is.
pub(super) struct Position {
    /// All turns up to this one are read, or are being read.
    pub(super) number: u32,
    /// The turn that is being read.
    pub(super) turn: Option<TurnFeed>,
    /// How things stand here, if the follower must be told.
    pub(super) snapshot: Option<Box<Snapshot>>,
}

impl FollowedSession {
    /// The place after what `cursor` names, if that is known.
    pub(super) async fn resume(&self, cursor: Cursor) -> Result<Option<Position>, StoreError> {
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

    /// The start of the turn after number `after`, if it has begun.
    pub(super) async fn next(&self, after: u32) -> Result<Option<Position>, StoreError> {
        let number = after.saturating_add(1);
        let Some(turn) = self.begun(number).await? else { return Ok(None) };
        if let Some(live) = turn.log().await? {
            return Ok(Some(Position::in_turn(turn, live.tail(0), FollowFrom::Start)));
        }
        // Nobody knows any more what happened in it.
        let now = self.resync().await?;
        Ok(Some(Position { number: now.number.max(number), ..now }))
    }

    /// The turn with this number, if it has begun or is over. A later one that is over does not come before one that
    /// waits.
    async fn begun(&self, number: u32) -> Result<Option<FollowedTurn>, StoreError> {
        let found = self.parts().sessions.turn_after(&self.scope, self.id, number.saturating_sub(1)).await?;
        Ok(found.filter(|(_, found)| *found == number).map(|(turn, _)| self.turn(turn)))
    }
}

impl Position {
    fn in_turn(turn: FollowedTurn, tail: Tail, from: FollowFrom) -> Self {
        let feed = TurnFeed::new(Entered { tail, snapshot: None }, turn, from);
        Self { number: feed.number(), turn: Some(feed), snapshot: None }
    }

    /// Names the place after all of turn number `number`.
    pub(super) fn after(number: u32) -> Cursor {
        Cursor { fence: Fence::default(), turn: number.saturating_add(1), seq: 0, frame: 0 }
    }
}
