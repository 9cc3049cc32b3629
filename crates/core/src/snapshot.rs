//! A session as it stands: what a reader gets that cannot go on exactly where it was.

use crate::{Cursor, Message, SessionSummary, TurnId, TurnView};

/// All that a page needs to draw a session, and where to go on from.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// The session.
    pub session: SessionSummary,
    /// The last of what was said before `turn`, or at all if there is none: so much as a page shows at first.
    pub messages: Vec<Message>,
    /// If more was said before `messages`: where that ends, as in [`MessagePage::before`](crate::ports::MessagePage).
    pub earlier: Option<(u32, u32)>,
    /// The turn the reader is in, or the session's last one, so far.
    pub turn: Option<TurnSoFar>,
    /// The turns that wait for it, the next one first.
    pub queue: Vec<QueuedTurn>,
    /// Names the last event of `turn`; the place after it if its log is not kept any more.
    pub cursor: Cursor,
}

/// A turn with what its events up to now add up to.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnSoFar {
    /// Which.
    pub id: TurnId,
    /// Its number in the session.
    pub number: u32,
    /// What happened in it, from its events or, without its log, from its messages.
    pub view: TurnView,
}

/// A turn that waits for its session.
#[derive(Debug, Clone, PartialEq)]
pub struct QueuedTurn {
    /// Which.
    pub id: TurnId,
    /// Its number in the session.
    pub number: u32,
    /// What the user said.
    pub input: Message,
    /// Whether the message is for the turn that runs, and becomes part of it if it can.
    pub steering: bool,
}
