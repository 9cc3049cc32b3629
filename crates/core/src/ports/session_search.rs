//! Searching the sessions of an owner for words.

use crate::{SearchQuery, SessionId, SessionSummary, TurnId};

/// What is searched for in an owner's sessions, the last used first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionSearch {
    /// The words.
    pub query: SearchQuery,
    /// At most so many sessions.
    pub limit: u32,
    /// Only what comes after this session in the list.
    pub after: Option<SessionId>,
}

/// Sessions that were found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SessionMatches {
    /// At most as many as were asked for, the last used first.
    pub found: Vec<SessionMatch>,
    /// Sessions in between whose stored form is damaged: their ids, or where they are stored if the id is damaged too.
    pub unreadable: Vec<String>,
}

/// A session that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionMatch {
    /// The session.
    pub session: SessionSummary,
    /// The newest turn that has all words. `None` if only the title has them.
    pub turn: Option<TurnMatch>,
}

/// A turn that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnMatch {
    /// The turn.
    pub id: TurnId,
    /// Its number in the session.
    pub number: u32,
    /// The text around the first word that was found.
    pub excerpt: String,
}
