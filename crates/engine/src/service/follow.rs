//! Following a turn from anywhere: replayed from the store, live from memory, and never a gap in silence.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use turnkit_core::{Cursor, LiveTurn, Scope, StoreError, Tail, TurnEvent, TurnId, TurnLog, TurnView};

use super::TurnService;

/// How long a follower waits before it looks again whether somebody runs the turn; it doubles up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// What a follower reads.
#[derive(Debug, Clone, PartialEq)]
pub enum FeedItem {
    /// Something happened; the cursor names it.
    Event(TurnEvent, Cursor),
    /// Exact resume was impossible: this is the turn so far. What follows comes after it.
    Resync(Box<TurnView>, Cursor),
}

/// One follower of a turn. It ends after the terminal event.
pub struct TurnFeed {
    service: TurnService,
    scope: Scope,
    turn: TurnId,
    tail: Tail,
    resync: Option<(TurnView, Cursor)>,
    /// Whether the follower knows that the turn's owner could not write.
    told: bool,
    /// The last thing that was handed out.
    seen: Option<Cursor>,
}

impl TurnService {
    /// Follows a turn from what `cursor` names on, or from its start.
    ///
    /// # Errors
    /// `NotFound`, also once the log of an old turn has been forgotten; otherwise storage failed.
    pub async fn follow(&self, scope: &Scope, turn: TurnId, cursor: Option<Cursor>) -> Result<TurnFeed, StoreError> {
        self.inner.parts.store.turn(scope, turn).await?;
        let live = self.live_or_stored(scope, turn).await?;
        let (tail, resync) = enter(&live, cursor);
        Ok(TurnFeed { service: self.clone(), scope: scope.clone(), turn, tail, resync, told: false, seen: cursor })
    }

    async fn live_or_stored(&self, scope: &Scope, turn: TurnId) -> Result<Arc<LiveTurn>, StoreError> {
        let parts = &self.inner.parts;
        if let Some(live) = parts.broker.find(turn) {
            return Ok(live);
        }
        let stored = parts.store.log(scope, turn).await?;
        let fence = stored.chunks.last().map(|chunk| chunk.fence).unwrap_or_default();
        let live = LiveTurn::new(TurnLog::restore(stored, fence));
        live.close();
        Ok(live)
    }
}

/// Where a follower enters a log: right after its cursor if the log still has what the cursor names, else with a view.
fn enter(live: &Arc<LiveTurn>, cursor: Option<Cursor>) -> (Tail, Option<(TurnView, Cursor)>) {
    let Some(cursor) = cursor else { return (live.tail(0), None) };
    let known = live.read(|log| cursor.turn == log.number() && log.fence_of(cursor.seq) == Some(cursor.fence));
    if known {
        return (live.tail(cursor.seq), None);
    }
    let events = live.read(TurnLog::events);
    let view = TurnView::of(&events);
    let at = cursor_of(live, view.seq);
    (live.tail(view.seq), Some((view, at)))
}

fn cursor_of(live: &LiveTurn, seq: u32) -> Cursor {
    live.read(|log| Cursor { fence: log.fence_of(seq).unwrap_or(log.fence()), turn: log.number(), seq, frame: 0 })
}

impl TurnFeed {
    /// Nobody runs the turn: it waits for its session, a person or a slot, or for storage. Goes on with its next owner.
    async fn next_owner(&self) -> Result<Arc<LiveTurn>, StoreError> {
        let parts = &self.service.inner.parts;
        let mut pause = FIRST_PAUSE;
        loop {
            if let Some(live) = parts.broker.find(self.turn) {
                return Ok(live);
            }
            if parts.store.turn(&self.scope, self.turn).await?.ended_at.is_some() {
                return self.service.live_or_stored(&self.scope, self.turn).await;
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// What comes next. `None` after the terminal event.
    ///
    /// # Errors
    /// Storage failed for the follower, or for the turn's owner, who will go on with it later. What was read so far stays
    /// valid, and asking again goes on waiting.
    pub async fn next(&mut self) -> Result<Option<FeedItem>, StoreError> {
        loop {
            if let Some((view, cursor)) = self.resync.take() {
                self.seen = Some(cursor);
                return Ok(Some(FeedItem::Resync(Box::new(view), cursor)));
            }
            if let Some(event) = self.tail.next().await {
                let cursor = cursor_of(self.tail.live(), event.seq);
                self.seen = Some(cursor);
                return Ok(Some(FeedItem::Event(event, cursor)));
            }
            if self.tail.live().read(TurnLog::has_ended) {
                return Ok(None);
            }
            if let Some(fault) = self.tail.live().fault().filter(|_| !std::mem::replace(&mut self.told, true)) {
                return Err(fault);
            }
            let live = self.next_owner().await?;
            self.told = false;
            (self.tail, self.resync) = enter(&live, self.seen);
        }
    }
}
