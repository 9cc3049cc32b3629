//! Snapshots of a session, for followers that cannot resume exactly.

use std::sync::Arc;

use turnkit_core::ports::{MessagePage, SessionState, Store, StoredMessage};
use turnkit_core::{
    Cursor, LiveTurn, Message, Role, Scope, SessionId, Snapshot, StoreError, Tail, TurnId, TurnSnapshot, TurnView,
};

/// The most messages of a snapshot. A client requests older ones by page.
const MAX_MESSAGES: usize = 200;
/// The most bytes of text in these messages.
const MAX_BYTES: usize = 256 * 1024;
/// The least number of bytes that a part takes besides its text.
const PART_BYTES: usize = 32;

/// Takes snapshots of one session.
pub(super) struct Snapshots<'a> {
    pub(super) store: &'a dyn Store,
    pub(super) scope: &'a Scope,
    pub(super) session: SessionId,
}

impl Snapshots<'_> {
    /// Takes a snapshot of the session in this `state`: within `turn` if there is one, else at the end of the head's
    /// branch.
    pub(super) async fn take(
        &self,
        state: SessionState,
        turn: Option<TurnSnapshot>,
        cursor: Cursor,
    ) -> Result<Snapshot, StoreError> {
        let head = state.head.map(|(_, number)| number);
        let Excerpt { messages, earlier } = match (state.last_begun, &turn) {
            (None, _) => Excerpt::default(),
            (Some(_), None) => self.messages_through(head).await?,
            (Some((_, last)), Some(turn)) => self.messages_before(turn.number, last, head).await?,
        };
        Ok(Snapshot { session: state.session, messages, earlier, turn, queue: state.queue, cursor })
    }

    /// Builds an ended turn whose log is no longer kept from its messages. Returns `None` if there are too many
    /// messages for a snapshot, or if they do not belong to one turn: a session may begin with messages from elsewhere.
    pub(super) async fn turn_without_log(&self, id: TurnId, number: u32) -> Result<Option<TurnSnapshot>, StoreError> {
        let record = match self.store.turn(self.scope, id).await {
            Ok(record) if record.ended_at.is_some() => record,
            Ok(_) | Err(StoreError::NotFound | StoreError::Corrupt(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut found = self.page((number, u32::MAX)).await?;
        found.retain(|stored| stored.turn_number == number);
        found.reverse();
        let is_input = |message: &Message| message.role == Role::User && !message.is_steering();
        let inputs = found.iter().filter(|stored| is_input(&stored.message));
        if inputs.map(|stored| stored.place).collect::<Vec<_>>() != [0] {
            return Ok(None);
        }
        let view = TurnView::of_messages(&record, found.iter().map(|stored| &stored.message));
        Ok(Some(TurnSnapshot { id, number, view }))
    }

    /// Returns the messages of the branch that ends with turn number `last`.
    async fn messages_through(&self, last: Option<u32>) -> Result<Excerpt, StoreError> {
        let Some(last) = last else { return Ok(Excerpt::default()) };
        let before = (last, u32::MAX);
        Ok(Excerpt::new(self.page(before).await?, before))
    }

    /// Returns the messages before turn number `turn` on its branch. `last` is the number of the last turn that began.
    /// `head` is the number of the turn that the next turn continues.
    async fn messages_before(&self, turn: u32, last: u32, head: Option<u32>) -> Result<Excerpt, StoreError> {
        if turn > last {
            return self.messages_through(head).await;
        }
        let before = (turn, 0);
        let found = self.page(before).await?;
        if found.is_empty() && (2..last).contains(&turn) && !self.has_begun(turn).await? {
            return self.messages_before_dropped(turn, last).await;
        }
        Ok(Excerpt::new(found, before))
    }

    /// Reports whether a turn has begun, and so has messages. A turn that was dropped from the queue has none.
    async fn has_begun(&self, turn: u32) -> Result<bool, StoreError> {
        let page = MessagePage { limit: 1, before: Some((turn, u32::MAX)), context: false };
        let newest = self.store.message_page(self.scope, self.session, page).await?;
        Ok(newest.first().is_some_and(|stored| stored.turn_number == turn))
    }

    /// Returns the messages before a dropped turn that does not name the turn it continues. They are found by going
    /// back from the last turn.
    async fn messages_before_dropped(&self, turn: u32, last: u32) -> Result<Excerpt, StoreError> {
        let mut before = (last, u32::MAX);
        loop {
            let found = self.page(before).await?;
            if let Some(newest) = found.iter().find(|stored| stored.turn_number < turn) {
                return self.messages_through(Some(newest.turn_number)).await;
            }
            let Some(oldest) = found.last() else { return Ok(Excerpt::default()) };
            before = (oldest.turn_number, oldest.place);
        }
    }

    /// Reads up to one message more than a snapshot may hold.
    async fn page(&self, before: (u32, u32)) -> Result<Vec<StoredMessage>, StoreError> {
        let page = MessagePage { limit: MAX_MESSAGES as u32 + 1, before: Some(before), context: false };
        self.store.message_page(self.scope, self.session, page).await
    }
}

/// A turn's log at one moment.
pub(super) struct LogSnapshot {
    pub(super) turn: TurnSnapshot,
    /// The cursor of the turn's last event.
    pub(super) cursor: Cursor,
    /// The events after `cursor`.
    pub(super) tail: Tail,
}

impl LogSnapshot {
    pub(super) fn new(id: TurnId, live: &Arc<LiveTurn>) -> Self {
        let (events, number, fence) = live.read(|log| (log.events(), log.number(), log.fence()));
        let start = Cursor { fence, turn: number, seq: 0, frame: 0 };
        let cursor = events.last().map_or(start, |last| last.cursor(number));
        let turn = TurnSnapshot { id, number, view: TurnView::of(&events) };
        Self { turn, cursor, tail: live.tail(cursor.seq) }
    }
}

/// The newest messages before a place, as many as fit into a snapshot.
#[derive(Default)]
struct Excerpt {
    messages: Vec<Message>,
    /// The place where the messages that do not fit end.
    earlier: Option<(u32, u32)>,
}

impl Excerpt {
    /// Keeps the messages that fit, from those `found` before a place, newest first.
    fn new(found: Vec<StoredMessage>, before: (u32, u32)) -> Self {
        let (mut messages, mut bytes, mut earlier) = (Vec::new(), 0, before);
        for StoredMessage { turn_number, place, message, .. } in found {
            bytes += message.parts.iter().map(|part| PART_BYTES + part.text_bytes()).sum::<usize>();
            if messages.len() == MAX_MESSAGES || bytes > MAX_BYTES {
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
