//! Pages of waits.

use crate::{SessionId, TurnId, Wait, WaitId};

/// Selects a page of the pending and decided waits of the turns in a scope, the oldest turn first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitPage {
    /// Only waits of this session.
    pub session: Option<SessionId>,
    /// Only waits of this turn.
    pub turn: Option<TurnId>,
    /// Whether waits of turns of sub-agents below that session or that turn are included.
    pub below: bool,
    /// Only pending waits.
    pub pending: bool,
    /// The maximum number of waits.
    pub limit: u32,
    /// Only waits after this one in the list.
    pub after: Option<WaitId>,
}

/// The result for a [`WaitPage`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WaitList {
    /// The waits, in the order of turns and their calls.
    pub waits: Vec<Wait>,
    /// Waits in this page whose stored form is damaged, identified as far as that form allows.
    pub unreadable: Vec<String>,
    /// The last wait of the page, if there are more.
    pub next: Option<WaitId>,
}
