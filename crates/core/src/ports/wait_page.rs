//! Lists of what turns wait for.

use crate::{SessionId, TurnId, Wait, WaitId};

/// A part of the list of what the turns of an owner wait or waited for, the oldest turn first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitPage {
    /// Only of this session.
    pub session: Option<SessionId>,
    /// Only of this turn.
    pub turn: Option<TurnId>,
    /// Only pending waits.
    pub pending: bool,
    /// At most so many.
    pub limit: u32,
    /// Only what comes after this one in the list.
    pub after: Option<WaitId>,
}

/// What was found for a [`WaitPage`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WaitList {
    /// In the order of turns and of their calls.
    pub waits: Vec<Wait>,
    /// Those in between whose stored form is damaged, as far as it says what they are.
    pub unreadable: Vec<String>,
    /// The last one, if there are more.
    pub next: Option<WaitId>,
}
