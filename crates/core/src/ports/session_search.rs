//! Full-text search over the sessions in a scope.

use crate::{SearchQuery, SessionId, SessionSummary, TurnId};

/// A search over the sessions in a scope, in order of last use, most recent first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionSearch {
    /// The words to search for.
    pub query: SearchQuery,
    /// The maximum number of sessions.
    pub limit: u32,
    /// Only sessions after this one in the list.
    pub after: Option<SessionId>,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SessionMatches {
    /// The matching sessions, at most `limit`, the most recently used first.
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
