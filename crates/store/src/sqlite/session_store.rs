//! The session operations of the store.

use std::ops::Range;
use std::sync::Arc;

use rusqlite::Connection;
use turnkit_core::ports::{
    BoxFuture, Fork, ImportedTurns, MessagePage, NewSession, SessionEdit, SessionList, SessionMatches, SessionPage,
    SessionSearch, SessionState, SessionStore, StoredMessage, TurnList, TurnMatch, TurnPage, TurnSearch,
    UnfinishedTurns,
};
use turnkit_core::{
    History, Message, QueuedTurn, Scope, Session, SessionId, SessionName, SessionSummary, StoreError, TurnId,
};

use super::failure::Failure;
use super::import::Import;
use super::job::{self, JobKind};
use super::rows::StoredSession;
use super::session_edit::{Change, Creation};
use super::{SqliteStore, fork, messages, removal, search, search_index, session_list, session_state, turn_list};

impl SessionStore for SqliteStore {
    fn list<'a>(&'a self, scope: &'a Scope, page: SessionPage) -> BoxFuture<'a, Result<SessionList, StoreError>> {
        let scope = scope.clone();
        self.read(move |connection| session_list::list(connection, &scope, page))
    }

    fn search<'a>(
        &'a self,
        scope: &'a Scope,
        search: SessionSearch,
    ) -> BoxFuture<'a, Result<SessionMatches, StoreError>> {
        let scope = scope.clone();
        Box::pin(self.search_index(move |connection| search::search(connection, &scope, &search)))
    }

    fn search_turns<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        search: TurnSearch,
    ) -> BoxFuture<'a, Result<Vec<TurnMatch>, StoreError>> {
        let scope = scope.clone();
        Box::pin(self.search_index(move |connection| search::search_turns(connection, &scope, session, &search)))
    }

    fn create<'a>(
        &'a self,
        scope: &'a Scope,
        session: NewSession,
    ) -> BoxFuture<'a, Result<SessionSummary, StoreError>> {
        Box::pin(async move {
            let creation = Creation::new(scope, session)?;
            self.write(JobKind::Other, move |connection| creation.store(connection)).await
        })
    }

    fn summary<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
    ) -> BoxFuture<'a, Result<SessionSummary, StoreError>> {
        let scope = scope.clone();
        self.read(move |connection| Ok(session_list::summary(connection, &scope, session)?.session))
    }

    fn edit<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        edit: SessionEdit,
    ) -> BoxFuture<'a, Result<SessionSummary, StoreError>> {
        Box::pin(async move {
            let change = Change::new(scope, session, edit)?;
            self.write(JobKind::Other, move |connection| change.store(connection)).await
        })
    }

    fn fork<'a>(&'a self, scope: &'a Scope, fork: Fork) -> BoxFuture<'a, Result<SessionSummary, StoreError>> {
        let scope = scope.clone();
        self.write(JobKind::Other, move |connection| fork::fork(connection, &scope, &fork))
    }

    fn import<'a>(
        &'a self,
        scope: &'a Scope,
        session: NewSession,
        turns: ImportedTurns,
    ) -> BoxFuture<'a, Result<SessionSummary, StoreError>> {
        Box::pin(async move {
            let import = Import::new(scope, session, turns)?;
            self.write(JobKind::Other, move |connection| import.store(connection)).await
        })
    }

    fn state<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<SessionState, StoreError>> {
        let scope = scope.clone();
        self.read(move |connection| session_state::state(connection, &scope, session))
    }

    fn queue<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<Vec<QueuedTurn>, StoreError>> {
        let scope = scope.clone();
        self.read(move |connection| {
            let found = StoredSession::of_user(connection, &scope, session)?;
            session_state::queue(connection, found.key)
        })
    }

    fn unfinished_turns<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
    ) -> BoxFuture<'a, Result<UnfinishedTurns, StoreError>> {
        let scope = scope.clone();
        self.read(move |connection| session_state::unfinished_turns(connection, &scope, session))
    }

    fn session<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<Session, StoreError>> {
        let scope = scope.clone();
        self.read(move |connection| Ok(StoredSession::of_user(connection, &scope, session)?.session))
    }

    fn session_named<'a>(
        &'a self,
        scope: &'a Scope,
        name: &'a SessionName,
    ) -> BoxFuture<'a, Result<Session, StoreError>> {
        let (scope, name) = (scope.clone(), name.clone());
        self.read(move |connection| Ok(StoredSession::named(connection, &scope, &name)?.session))
    }

    fn session_history<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
    ) -> BoxFuture<'a, Result<History, StoreError>> {
        let scope = scope.clone();
        self.read(move |connection| {
            let found = StoredSession::of_user(connection, &scope, session)?;
            messages::history(connection, found.key, found.head)
        })
    }

    fn messages<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<Vec<Message>, StoreError>> {
        let scope = scope.clone();
        self.read(move |connection| {
            let found = StoredSession::of_user(connection, &scope, session)?;
            messages::branch(connection, found.key, found.head)
        })
    }

    fn turn_messages<'a>(&'a self, scope: &'a Scope, turn: TurnId) -> BoxFuture<'a, Result<Vec<Message>, StoreError>> {
        let scope = scope.clone();
        self.read(move |connection| messages::of_user(connection, &scope, turn))
    }

    fn message_page<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        page: MessagePage,
    ) -> BoxFuture<'a, Result<Vec<StoredMessage>, StoreError>> {
        let scope = scope.clone();
        self.read(move |connection| {
            let found = StoredSession::of_user(connection, &scope, session)?;
            messages::page(connection, &found, page)
        })
    }

    fn turns<'a>(&'a self, scope: &'a Scope, page: TurnPage) -> BoxFuture<'a, Result<TurnList, StoreError>> {
        let scope = scope.clone();
        self.read(move |connection| turn_list::page(connection, &scope, &page))
    }

    fn numbered_turns<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        numbers: Range<u32>,
    ) -> BoxFuture<'a, Result<TurnList, StoreError>> {
        let scope = scope.clone();
        self.read(move |connection| turn_list::numbered(connection, &scope, session, &numbers))
    }

    fn turn_after<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        number: u32,
    ) -> BoxFuture<'a, Result<Option<(TurnId, u32)>, StoreError>> {
        let scope = scope.clone();
        self.read(move |connection| {
            let found = StoredSession::of_user(connection, &scope, session)?;
            session_state::turn_after(connection, found.key, number)
        })
    }

    fn delete<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<(), StoreError>> {
        let scope = scope.clone();
        Box::pin(async move {
            self.write(JobKind::Other, move |connection| removal::delete(connection, &scope, session)).await?;
            // The session is already gone. If the cleanup fails, its remaining rows are deleted along with old logs.
            let _ = self.remove_remains().await;
            Ok(())
        })
    }
}

impl SqliteStore {
    /// Runs a search. A damaged index is rebuilt first.
    async fn search_index<T: Send + 'static>(
        &self,
        search: impl Fn(&Connection) -> Result<T, Failure> + Clone + Send + 'static,
    ) -> Result<T, StoreError> {
        if let Some(found) = self.search_once(search.clone()).await? {
            return Ok(found);
        }
        let _repairing = self.repairing_search.lock().await;
        // Another search may have emptied the index meanwhile and added the turns again.
        if let Some(found) = self.search_once(search.clone()).await? {
            return Ok(found);
        }
        self.write(JobKind::Other, search_index::empty).await?;
        let found = self.search_once(search).await?;
        found.ok_or_else(|| StoreError::Unavailable("the search index is damaged and could not be rebuilt".to_owned()))
    }

    /// Adds the turns that have ended, then searches. Returns `None` if the index is damaged.
    async fn search_once<T: Send + 'static>(
        &self,
        search: impl Fn(&Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<Option<T>, StoreError> {
        self.index_turns(search_index::is_behind).await?;
        let permit = Arc::clone(&self.searching).acquire_owned().await.map_err(|_| job::closed_error())?;
        self.read(move |connection| {
            // Held until the job has ended, even if its caller stopped waiting.
            let _searching = &permit;
            match search(connection) {
                Err(failure) if failure.is_damaged_index() => Ok(None),
                found => found.map(Some),
            }
        })
        .await
    }
}
