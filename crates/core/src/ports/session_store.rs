//! Where sessions are read and edited. Turns write them through [`TurnStore`](super::TurnStore).

use super::BoxFuture;
use crate::{Message, Scope, Session, SessionId, SessionName, StoreError, Timestamp};

/// A session as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionSummary {
    /// Our id.
    pub id: SessionId,
    /// The client's name for it.
    pub name: Option<SessionName>,
    /// The agent.
    pub agent: Box<str>,
    /// What it is about.
    pub title: Box<str>,
    /// How many turns it has had.
    pub turns: u32,
    /// When it was last used.
    pub last_active: Timestamp,
}

/// Which part of a list is asked for, newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionPage {
    /// At most so many.
    pub limit: u32,
    /// Only what comes after this session in the list.
    pub after: Option<SessionId>,
}

/// Reads and edits sessions of one owner. A session of another owner is not found.
pub trait SessionStore: Send + Sync {
    /// Sessions, the last used first.
    ///
    /// # Errors
    /// `NotFound` if there is no session `page.after`; otherwise storage failed.
    fn list<'a>(
        &'a self,
        scope: &'a Scope,
        page: SessionPage,
    ) -> BoxFuture<'a, Result<Vec<SessionSummary>, StoreError>>;

    /// One session, without history.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn session<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<Session, StoreError>>;

    /// One session, by the name its owner calls it, without history.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn session_named<'a>(
        &'a self,
        scope: &'a Scope,
        name: &'a SessionName,
    ) -> BoxFuture<'a, Result<Session, StoreError>>;

    /// Everything that was said, oldest first.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn messages<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<Vec<Message>, StoreError>>;

    /// Removes a session and all that belongs to it.
    ///
    /// # Errors
    /// `NotFound`; `Conflict` while a turn of it is not over; otherwise storage failed.
    fn delete<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<(), StoreError>>;
}
