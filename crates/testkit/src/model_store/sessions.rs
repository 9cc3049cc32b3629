//! The [`SessionStore`] implementation of the model store.

use std::ops::Range;

use turnkit_core::ports::{
    BoxFuture, Fork, ImportedTurns, MessagePage, NewSession, SessionEdit, SessionList, SessionMatches, SessionPage,
    SessionSearch, SessionState, SessionStore, StoredMessage, TurnList, TurnMatch, TurnPage, TurnSearch,
    UnfinishedTurns,
};
use turnkit_core::{
    History, Message, QueuedTurn, Scope, Session, SessionId, SessionName, SessionSummary, StoreError, TurnId,
};

use super::ModelStore;

impl SessionStore for ModelStore {
    fn list<'a>(&'a self, scope: &'a Scope, page: SessionPage) -> BoxFuture<'a, Result<SessionList, StoreError>> {
        Box::pin(self.commit(move |rows, _| rows.list(scope, page)))
    }

    fn search<'a>(
        &'a self,
        scope: &'a Scope,
        search: SessionSearch,
    ) -> BoxFuture<'a, Result<SessionMatches, StoreError>> {
        Box::pin(self.commit(move |rows, _| rows.search(scope, &search)))
    }

    fn search_turns<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        search: TurnSearch,
    ) -> BoxFuture<'a, Result<Vec<TurnMatch>, StoreError>> {
        Box::pin(self.commit(move |rows, _| rows.search_turns(scope, session, &search)))
    }

    fn session<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<Session, StoreError>> {
        Box::pin(self.commit(move |rows, _| Ok(rows.session(scope, session)?.1.session.clone())))
    }

    fn session_named<'a>(
        &'a self,
        scope: &'a Scope,
        name: &'a SessionName,
    ) -> BoxFuture<'a, Result<Session, StoreError>> {
        Box::pin(self.commit(move |rows, _| {
            let found = rows.named(scope, name);
            found.map(|(_, row)| row.session.clone()).ok_or(StoreError::NotFound)
        }))
    }

    fn session_history<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
    ) -> BoxFuture<'a, Result<History, StoreError>> {
        Box::pin(self.commit(move |rows, _| {
            let (place, row) = rows.session(scope, session)?;
            Ok(rows.model_history(place, row.head))
        }))
    }

    fn messages<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<Vec<Message>, StoreError>> {
        Box::pin(self.commit(move |rows, _| {
            let (place, row) = rows.session(scope, session)?;
            Ok(rows.visible_messages(place, row.head))
        }))
    }

    fn create<'a>(
        &'a self,
        scope: &'a Scope,
        session: NewSession,
    ) -> BoxFuture<'a, Result<SessionSummary, StoreError>> {
        Box::pin(self.commit_as_holder(move |rows, _| rows.create(scope, session)))
    }

    fn summary<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
    ) -> BoxFuture<'a, Result<SessionSummary, StoreError>> {
        Box::pin(self.commit(move |rows, _| Ok(rows.summary(rows.session(scope, session)?.1))))
    }

    fn edit<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        edit: SessionEdit,
    ) -> BoxFuture<'a, Result<SessionSummary, StoreError>> {
        Box::pin(self.commit_as_holder(move |rows, _| rows.edit(scope, session, edit)))
    }

    fn fork<'a>(&'a self, scope: &'a Scope, fork: Fork) -> BoxFuture<'a, Result<SessionSummary, StoreError>> {
        Box::pin(self.commit_as_holder(move |rows, _| rows.fork(scope, fork)))
    }

    fn import<'a>(
        &'a self,
        scope: &'a Scope,
        session: NewSession,
        turns: ImportedTurns,
    ) -> BoxFuture<'a, Result<SessionSummary, StoreError>> {
        Box::pin(self.commit_as_holder(move |rows, _| rows.import(scope, session, turns)))
    }

    fn state<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<SessionState, StoreError>> {
        Box::pin(self.commit(move |rows, _| rows.session_state(scope, session)))
    }

    fn queue<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<Vec<QueuedTurn>, StoreError>> {
        Box::pin(self.commit(move |rows, _| Ok(rows.queue(rows.session(scope, session)?.0))))
    }

    fn unfinished_turns<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
    ) -> BoxFuture<'a, Result<UnfinishedTurns, StoreError>> {
        Box::pin(self.commit(move |rows, _| rows.unfinished_turns(scope, session)))
    }

    fn turn_messages<'a>(&'a self, scope: &'a Scope, turn: TurnId) -> BoxFuture<'a, Result<Vec<Message>, StoreError>> {
        Box::pin(self.commit(move |rows, _| {
            let begun = Some(rows.of_user(scope, turn)?).filter(|turn| turn.has_begun());
            Ok(begun.into_iter().flat_map(|turn| &turn.messages).map(|entry| entry.message().clone()).collect())
        }))
    }

    fn message_page<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        page: MessagePage,
    ) -> BoxFuture<'a, Result<Vec<StoredMessage>, StoreError>> {
        Box::pin(self.commit(move |rows, _| rows.message_page(scope, session, page)))
    }

    fn turns<'a>(&'a self, scope: &'a Scope, page: TurnPage) -> BoxFuture<'a, Result<TurnList, StoreError>> {
        Box::pin(self.commit(move |rows, _| rows.turn_page(scope, &page)))
    }

    fn numbered_turns<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        numbers: Range<u32>,
    ) -> BoxFuture<'a, Result<TurnList, StoreError>> {
        Box::pin(self.commit(move |rows, _| rows.numbered_turns(scope, session, &numbers)))
    }

    fn turn_after<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        number: u32,
    ) -> BoxFuture<'a, Result<Option<(TurnId, u32)>, StoreError>> {
        Box::pin(self.commit(move |rows, _| rows.turn_after(scope, session, number)))
    }

    fn delete<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(self.commit(move |rows, _| rows.delete(scope, session)))
    }
}
