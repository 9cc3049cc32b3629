//! The other half of a store that is looked over the shoulder of: its sessions.

use turnkit_core::ports::{
    BoxFuture, Fork, MessagePage, NewSession, Occupants, SessionEdit, SessionList, SessionPage, SessionState,
    SessionStore, StoredMessage, TurnList, TurnPage,
};
use turnkit_core::{Message, QueuedTurn, Scope, Session, SessionId, SessionName, SessionSummary, StoreError, TurnId};

use crate::watched_store::WatchedStore;

type Answer<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

impl SessionStore for WatchedStore {
    fn list<'a>(&'a self, scope: &'a Scope, page: SessionPage) -> Answer<'a, SessionList> {
        Box::pin(self.watch("list", self.sessions.list(scope, page)))
    }

    fn create<'a>(&'a self, scope: &'a Scope, session: NewSession) -> Answer<'a, SessionSummary> {
        Box::pin(self.watch("create", self.sessions.create(scope, session)))
    }

    fn summary<'a>(&'a self, scope: &'a Scope, session: SessionId) -> Answer<'a, SessionSummary> {
        Box::pin(self.watch("summary", self.sessions.summary(scope, session)))
    }

    fn edit<'a>(&'a self, scope: &'a Scope, session: SessionId, edit: SessionEdit) -> Answer<'a, SessionSummary> {
        Box::pin(self.watch("edit", self.sessions.edit(scope, session, edit)))
    }

    fn fork<'a>(&'a self, scope: &'a Scope, fork: Fork) -> Answer<'a, SessionSummary> {
        Box::pin(self.watch("fork", self.sessions.fork(scope, fork)))
    }

    fn state<'a>(&'a self, scope: &'a Scope, session: SessionId) -> Answer<'a, SessionState> {
        Box::pin(self.watch("state", self.sessions.state(scope, session)))
    }

    fn queue<'a>(&'a self, scope: &'a Scope, session: SessionId) -> Answer<'a, Vec<QueuedTurn>> {
        Box::pin(self.watch("queue", self.sessions.queue(scope, session)))
    }

    fn occupants<'a>(&'a self, scope: &'a Scope, session: SessionId) -> Answer<'a, Occupants> {
        Box::pin(self.watch("occupants", self.sessions.occupants(scope, session)))
    }

    fn session<'a>(&'a self, scope: &'a Scope, session: SessionId) -> Answer<'a, Session> {
        Box::pin(self.watch("session", self.sessions.session(scope, session)))
    }

    fn session_named<'a>(&'a self, scope: &'a Scope, name: &'a SessionName) -> Answer<'a, Session> {
        Box::pin(self.watch("session_named", self.sessions.session_named(scope, name)))
    }

    fn messages<'a>(&'a self, scope: &'a Scope, session: SessionId) -> Answer<'a, Vec<Message>> {
        Box::pin(self.watch("messages", self.sessions.messages(scope, session)))
    }

    fn message_page<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        page: MessagePage,
    ) -> Answer<'a, Vec<StoredMessage>> {
        Box::pin(self.watch("message_page", self.sessions.message_page(scope, session, page)))
    }

    fn turns<'a>(&'a self, scope: &'a Scope, page: TurnPage) -> Answer<'a, TurnList> {
        Box::pin(self.watch("turns", self.sessions.turns(scope, page)))
    }

    fn turn_after<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        number: u32,
    ) -> Answer<'a, Option<(TurnId, u32)>> {
        Box::pin(self.watch("turn_after", self.sessions.turn_after(scope, session, number)))
    }

    fn delete<'a>(&'a self, scope: &'a Scope, session: SessionId) -> Answer<'a, ()> {
        Box::pin(self.watch("delete", self.sessions.delete(scope, session)))
    }
}
