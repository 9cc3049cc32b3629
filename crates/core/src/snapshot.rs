//! A snapshot of a session, for a reader that cannot resume exactly.

use crate::{Cursor, Message, SessionSummary, TurnId, TurnView};

/// The data that a page needs to draw a session, and the cursor to continue from.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// The session.
    pub session: SessionSummary,
    /// The last messages before `turn`, or of the whole session if there is no `turn`. As many as a page shows
    /// initially.
    pub messages: Vec<Message>,
    /// The position before which earlier messages exist, for [`MessagePage::before`](crate::ports::MessagePage); `None`
    /// if there are none.
    pub earlier: Option<(u32, u32)>,
    /// The turn that the reader follows, or the last turn of the session, with its state so far.
    pub turn: Option<TurnSnapshot>,
    /// The queued turns of the session, the next one first.
    pub queue: Vec<QueuedTurn>,
    /// The cursor of the last event of `turn`, or the position after it if its log is no longer kept.
    pub cursor: Cursor,
}

/// A turn with the accumulated state of its events.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnSnapshot {
    /// The id of the turn.
    pub id: TurnId,
    /// The number of the turn in its session.
    pub number: u32,
    /// The view of the turn, built from its events or, without its log, from its messages.
    pub view: TurnView,
}

/// A turn that waits in the queue of its session.
#[derive(Debug, Clone, PartialEq)]
pub struct QueuedTurn {
    /// The id of the turn.
    pub id: TurnId,
    /// The number of the turn in its session.
    pub number: u32,
    /// The user's message.
    pub input: Message,
    /// Whether the message is meant for the running turn, which takes it if possible.
    pub steering: bool,
}
