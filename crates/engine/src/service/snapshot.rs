//! How a session stands, for followers that cannot go on exactly where they were.

use std::sync::Arc;

use turnkit_core::ports::{MessagePage, StoredMessage};
use turnkit_core::{Cursor, LiveTurn, Message, Snapshot, StoreError, Tail, TurnSoFar, TurnView};

use super::follow::FollowFrom;
use super::followed::{Entered, FollowedSession, FollowedTurn};
use super::position::Position;
use super::turn_feed::TurnFeed;

/// The most messages of a snapshot: who wants more asks for it.
const MOST_MESSAGES: usize = 200;
/// The most bytes of what is said in them.
const MOST_BYTES: usize = 256 * 1024;
/// What a part takes besides what is said in it, at least.
const PART_BYTES: usize = 32;

impl FollowedTurn {
    /// Enters the log where it stands now.
    pub(super) async fn resync(&self, live: &Arc<LiveTurn>) -> Result<Entered, StoreError> {
        let SoFar { tail, number, view, cursor } = SoFar::of(live);
        let state = self.session.parts().sessions.state(&self.session.scope, self.session.id).await?;
        let Said { messages, earlier } = match state.last_begun {
            Some((_, last)) => self.session.said_before(number, last).await?,
            None => Said::default(),
        };
        let turn = Some(TurnSoFar { id: self.id, number, view });
        let snapshot = Snapshot { session: state.session, messages, earlier, turn, queue: state.queue, cursor };
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
            let Said { messages, earlier } = self.said_before(number, number).await?;
            let snapshot = Snapshot { session: state.session, messages, earlier, turn, queue: state.queue, cursor };
            let feed = TurnFeed::new(Entered { tail, snapshot: None }, last, FollowFrom::After(cursor));
            return Ok(Position { number, turn: Some(feed), snapshot: Some(Box::new(snapshot)) });
        }
        let number = state.last_begun.map_or(0, |(_, number)| number);
        let Said { messages, earlier } = match number {
            0 => Said::default(),
            last => self.said(last).await?,
        };
        let cursor = Position::after(number);
        let snapshot = Snapshot { session: state.session, messages, earlier, turn: None, queue: state.queue, cursor };
        Ok(Position { number, turn: None, snapshot: Some(Box::new(snapshot)) })
    }

    /// What was said up to and with turn number `last`.
    async fn said(&self, last: u32) -> Result<Said, StoreError> {
        let before = (last, u32::MAX);
        Ok(Said::of(self.page(before).await?, before))
    }

    /// What was said before turn number `turn`; `last` is the number of the last turn that began.
    async fn said_before(&self, turn: u32, last: u32) -> Result<Said, StoreError> {
        if turn > last {
            return self.said(last).await;
        }
        let before = (turn, 0);
        let found = self.page(before).await?;
        if found.is_empty() && (2..last).contains(&turn) {
            return self.said_before_dropped(turn, last).await;
        }
        Ok(Said::of(found, before))
    }

    /// A turn that was dropped goes on from no other: what was said before it is found on the way back from the last.
    async fn said_before_dropped(&self, turn: u32, last: u32) -> Result<Said, StoreError> {
        let mut before = (last, u32::MAX);
        loop {
            let found = self.page(before).await?;
            if let Some(newest) = found.iter().find(|stored| stored.turn_number < turn) {
                return self.said(newest.turn_number).await;
            }
            let Some(oldest) = found.last() else { return Ok(Said::default()) };
            before = (oldest.turn_number, oldest.place);
        }
    }

    /// One message more than a snapshot may hold, if there are so many.
    async fn page(&self, before: (u32, u32)) -> Result<Vec<StoredMessage>, StoreError> {
        let page = MessagePage { limit: MOST_MESSAGES as u32 + 1, before: Some(before) };
        self.parts().sessions.message_page(&self.scope, self.id, page).await
    }
}

/// The last of what was said, as far as it fits into a snapshot.
#[derive(Default)]
struct Said {
    messages: Vec<Message>,
    /// Where what does not fit ends.
    earlier: Option<(u32, u32)>,
}

impl Said {
    /// What fits of messages that were `found` before a place, the newest first.
    fn of(found: Vec<StoredMessage>, before: (u32, u32)) -> Self {
        let (mut messages, mut bytes, mut earlier) = (Vec::new(), 0, before);
        for StoredMessage { turn_number, place, message, .. } in found {
            bytes += message.parts.iter().map(|part| PART_BYTES + part.text_bytes()).sum::<usize>();
            if messages.len() == MOST_MESSAGES || bytes > MOST_BYTES {
                messages.reverse();
                return Self { messages, earlier: Some(earlier) };
            }
            messages.push(message);
            earlier = (turn_number, place);
        }
        messages.reverse();
        Self { messages, earlier: None }
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
