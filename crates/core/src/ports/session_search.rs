//! Full-text search over the sessions in a scope, and over the turns of a session.

use crate::{SearchQuery, SessionId, SessionSummary, TurnId};

/// A search over the sessions in a scope, in the order of [`SessionPage`](super::SessionPage).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionSearch {
    /// The words to search for.
    pub query: SearchQuery,
    /// The maximum number of sessions.
    pub limit: u32,
    /// Only sessions after this one in the list.
    pub after: Option<SessionId>,
    /// Only archived sessions, or only others. Absent: both.
    pub archived: Option<bool>,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SessionMatches {
    /// The matching sessions, at most `limit`, in the order of the list.
    pub found: Vec<SessionMatch>,
    /// Sessions in this page whose stored form is damaged: their ids, or their storage location if the id is damaged
    /// too.
    pub unreadable: Vec<String>,
}

/// A matching session.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionMatch {
    /// The session.
    pub session: SessionSummary,
    /// The newest turn that has all words. `None` if only the title matches.
    pub turn: Option<TurnMatch>,
}

/// A search over the turns of a session, in order of their numbers, highest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnSearch {
    /// The words to search for. A turn matches if it has all of them.
    pub query: SearchQuery,
    /// The maximum number of turns.
    pub limit: u32,
    /// Only turns with lower numbers.
    pub before: Option<u32>,
}

/// A matching turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnMatch {
    /// The turn.
    pub id: TurnId,
    /// The number of the turn in its session.
    pub number: u32,
    /// The text around the first matching word.
    pub excerpt: String,
}
