//! How a session stands, for followers that cannot go on exactly where they were.

use std::sync::Arc;

use turnkit_core::ports::MessagePage;
use turnkit_core::{Cursor, LiveTurn, Message, Snapshot, StoreError, Tail, TurnSoFar, TurnView};

use super::follow::{Entered, FollowFrom, FollowedSession, FollowedTurn};
use super::session_feed::Position;
use super::turn_feed::TurnFeed;

impl FollowedTurn {
    /// Enters the log where it stands now.
    pub(super) async fn resync(&self, live: &Arc<LiveTurn>) -> Result<Entered, StoreError> {
        let SoFar { tail, number, view, cursor } = SoFar::of(live);
        let state = self.session.parts().sessions.state(&self.session.scope, self.session.id).await?;
        let messages = match state.last_begun {
            Some((last, _)) if last == self.id => state.before,
            Some((_, last)) => self.session.messages(last, number).await?,
            None => Vec::new(),
        };
        let turn = Some(TurnSoFar { id: self.id, number, view });
        let snapshot = Snapshot { session: state.session, messages, turn, queue: state.queue, cursor };
        Ok(Entered { tail, snapshot: Some(Box::new(snapshot)) })
    }
}

impl FollowedSession {
    /// Enters the session where it stands now: in its last turn, or after it if nobody knows any more what happened in it.
    pub(super) async fn resync(&self) -> Result<Position, StoreError> {
        let state = self.parts().sessions.state(&self.scope, self.id).await?;
        let last = state.last_begun.map(|(turn, _)| self.turn(turn));
        let live = match &last {
            Some(last) => last.log().await?,
            None => None,
        };
        if let (Some(last), Some(live)) = (last, live) {
            let SoFar { tail, number, view, cursor } = SoFar::of(&live);
            let turn = Some(TurnSoFar { id: last.id, number, view });
            let messages = state.before;
            let snapshot = Snapshot { session: state.session, messages, turn, queue: state.queue, cursor };
            let feed = TurnFeed::new(Entered { tail, snapshot: None }, last, FollowFrom::After(cursor));
            return Ok(Position { number, turn: Some(feed), snapshot: Some(Box::new(snapshot)) });
        }
        let number = state.last_begun.map_or(0, |(_, number)| number);
        let messages = if number == 0 { Vec::new() } else { self.messages(number, number + 1).await? };
        let cursor = Position::after(number);
        let snapshot = Snapshot { session: state.session, messages, turn: None, queue: state.queue, cursor };
        Ok(Position { number, turn: None, snapshot: Some(Box::new(snapshot)) })
    }

    /// What was said before turn number `before`, as far as turn number `last` goes on from it. The former may wait, or
    /// have been dropped: then nothing goes on from it.
    async fn messages(&self, last: u32, before: u32) -> Result<Vec<Message>, StoreError> {
        let page = MessagePage { limit: u32::MAX, before: Some((last, u32::MAX)) };
        let found = self.parts().sessions.message_page(&self.scope, self.id, page).await?;
        let found = found.into_iter().rev().filter(|stored| stored.turn_number < before);
        Ok(found.map(|stored| stored.message).collect())
    }
}

/// A log up to one moment, and what comes after it.
struct SoFar {
    tail: Tail,
    number: u32,
    view: TurnView,
    cursor: Cursor,
}

impl SoFar {
    fn of(live: &Arc<LiveTurn>) -> Self {
        let (events, number, fence) = live.read(|log| (log.events(), log.number(), log.fence()));
        let start = Cursor { fence, turn: number, seq: 0, frame: 0 };
        let cursor = events.last().map_or(start, |last| last.cursor(number));
        Self { tail: live.tail(cursor.seq), number, view: TurnView::of(&events), cursor }
    }
}
