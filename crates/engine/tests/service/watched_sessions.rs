//! The other half of a store that is looked over the shoulder of: its sessions, keys and files.

use turnkit_core::ports::{
    ApiKey, BlobContent, BlobStore, BoxFuture, Fork, KeyStore, MessagePage, NewSession, Occupants, OpenBlob,
    SessionEdit, SessionList, SessionPage, SessionState, SessionStore, StoredMessage, TurnList, TurnPage,
};
use turnkit_core::{
    Blob, BlobId, History, KeyId, Message, NewBlob, QueuedTurn, Scope, Session, SessionId, SessionName, SessionSummary,
    StoreError, Sweep, Timestamp, TurnId,
};

use crate::watched_store::WatchedStore;

type Answer<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

impl SessionStore for WatchedStore {
    fn list<'a>(&'a self, scope: &'a Scope, page: SessionPage) -> Answer<'a, SessionList> {
        Box::pin(self.watch("list", self.inner.list(scope, page)))
    }

    fn create<'a>(&'a self, scope: &'a Scope, session: NewSession) -> Answer<'a, SessionSummary> {
        Box::pin(self.watch("create", self.inner.create(scope, session)))
    }

    fn summary<'a>(&'a self, scope: &'a Scope, session: SessionId) -> Answer<'a, SessionSummary> {
        Box::pin(self.watch("summary", self.inner.summary(scope, session)))
    }

    fn edit<'a>(&'a self, scope: &'a Scope, session: SessionId, edit: SessionEdit) -> Answer<'a, SessionSummary> {
        Box::pin(self.watch("edit", self.inner.edit(scope, session, edit)))
    }

    fn fork<'a>(&'a self, scope: &'a Scope, fork: Fork) -> Answer<'a, SessionSummary> {
        Box::pin(self.watch("fork", self.inner.fork(scope, fork)))
    }

    fn state<'a>(&'a self, scope: &'a Scope, session: SessionId) -> Answer<'a, SessionState> {
        Box::pin(self.watch("state", self.inner.state(scope, session)))
    }

    fn queue<'a>(&'a self, scope: &'a Scope, session: SessionId) -> Answer<'a, Vec<QueuedTurn>> {
        Box::pin(self.watch("queue", self.inner.queue(scope, session)))
    }

    fn occupants<'a>(&'a self, scope: &'a Scope, session: SessionId) -> Answer<'a, Occupants> {
        Box::pin(self.watch("occupants", self.inner.occupants(scope, session)))
    }

    fn session<'a>(&'a self, scope: &'a Scope, session: SessionId) -> Answer<'a, Session> {
        Box::pin(self.watch("session", self.inner.session(scope, session)))
    }

    fn session_named<'a>(&'a self, scope: &'a Scope, name: &'a SessionName) -> Answer<'a, Session> {
        Box::pin(self.watch("session_named", self.inner.session_named(scope, name)))
    }

    fn session_history<'a>(&'a self, scope: &'a Scope, session: SessionId) -> Answer<'a, History> {
        Box::pin(self.watch("session_history", self.inner.session_history(scope, session)))
    }

    fn messages<'a>(&'a self, scope: &'a Scope, session: SessionId) -> Answer<'a, Vec<Message>> {
        Box::pin(self.watch("messages", self.inner.messages(scope, session)))
    }

    fn message_page<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        page: MessagePage,
    ) -> Answer<'a, Vec<StoredMessage>> {
        Box::pin(self.watch("message_page", self.inner.message_page(scope, session, page)))
    }

    fn turns<'a>(&'a self, scope: &'a Scope, page: TurnPage) -> Answer<'a, TurnList> {
        Box::pin(self.watch("turns", self.inner.turns(scope, page)))
    }

    fn turn_after<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        number: u32,
    ) -> Answer<'a, Option<(TurnId, u32)>> {
        Box::pin(self.watch("turn_after", self.inner.turn_after(scope, session, number)))
    }

    fn delete<'a>(&'a self, scope: &'a Scope, session: SessionId) -> Answer<'a, ()> {
        Box::pin(self.watch("delete", self.inner.delete(scope, session)))
    }
}

impl KeyStore for WatchedStore {
    fn add_key(&self, key: ApiKey) -> Answer<'_, ()> {
        Box::pin(self.watch("add_key", self.inner.add_key(key)))
    }

    fn keys(&self) -> Answer<'_, Vec<ApiKey>> {
        Box::pin(self.watch("keys", self.inner.keys()))
    }

    fn revoke_key(&self, key: KeyId, at: Timestamp) -> Answer<'_, ()> {
        Box::pin(self.watch("revoke_key", self.inner.revoke_key(key, at)))
    }
}

impl BlobStore for WatchedStore {
    fn put<'a>(&'a self, scope: &'a Scope, blob: NewBlob, content: BlobContent<'a>) -> Answer<'a, Blob> {
        Box::pin(self.watch("put", self.inner.put(scope, blob, content)))
    }

    fn open<'a>(&'a self, scope: &'a Scope, blob: BlobId) -> Answer<'a, OpenBlob> {
        Box::pin(self.watch("open", self.inner.open(scope, blob)))
    }

    fn forget_unnamed<'a>(&'a self, sweep: &'a Sweep, before: Timestamp) -> Answer<'a, u64> {
        Box::pin(self.watch("forget_unnamed", self.inner.forget_unnamed(sweep, before)))
    }
}
