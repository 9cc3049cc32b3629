//! The sessions, keys and files of a store with a bug. They have none.

use turnkit_core::ports::{
    ApiKey, BlobContent, BlobStore, BoxFuture, Fork, KeyStore, MessagePage, NewSession, Occupants, OpenBlob,
    SessionEdit, SessionList, SessionPage, SessionState, SessionStore, StoredMessage, TurnList, TurnPage,
};
use turnkit_core::{
    Blob, BlobId, History, KeyId, Message, NewBlob, QueuedTurn, Scope, Session, SessionId, SessionName, SessionSummary,
    StoreError, Sweep, Timestamp, TurnId,
};

use super::Mutated;

type Answer<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

impl SessionStore for Mutated {
    fn list<'a>(&'a self, scope: &'a Scope, page: SessionPage) -> Answer<'a, SessionList> {
        self.store.list(scope, page)
    }

    fn create<'a>(&'a self, scope: &'a Scope, session: NewSession) -> Answer<'a, SessionSummary> {
        self.store.create(scope, session)
    }

    fn summary<'a>(&'a self, scope: &'a Scope, session: SessionId) -> Answer<'a, SessionSummary> {
        self.store.summary(scope, session)
    }

    fn edit<'a>(&'a self, scope: &'a Scope, session: SessionId, edit: SessionEdit) -> Answer<'a, SessionSummary> {
        self.store.edit(scope, session, edit)
    }

    fn fork<'a>(&'a self, scope: &'a Scope, fork: Fork) -> Answer<'a, SessionSummary> {
        self.store.fork(scope, fork)
    }

    fn state<'a>(&'a self, scope: &'a Scope, session: SessionId) -> Answer<'a, SessionState> {
        self.store.state(scope, session)
    }

    fn queue<'a>(&'a self, scope: &'a Scope, session: SessionId) -> Answer<'a, Vec<QueuedTurn>> {
        self.store.queue(scope, session)
    }

    fn occupants<'a>(&'a self, scope: &'a Scope, session: SessionId) -> Answer<'a, Occupants> {
        self.store.occupants(scope, session)
    }

    fn session<'a>(&'a self, scope: &'a Scope, session: SessionId) -> Answer<'a, Session> {
        self.store.session(scope, session)
    }

    fn session_named<'a>(&'a self, scope: &'a Scope, name: &'a SessionName) -> Answer<'a, Session> {
        self.store.session_named(scope, name)
    }

    fn session_history<'a>(&'a self, scope: &'a Scope, session: SessionId) -> Answer<'a, History> {
        self.store.session_history(scope, session)
    }

    fn messages<'a>(&'a self, scope: &'a Scope, session: SessionId) -> Answer<'a, Vec<Message>> {
        self.store.messages(scope, session)
    }

    fn message_page<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        page: MessagePage,
    ) -> Answer<'a, Vec<StoredMessage>> {
        self.store.message_page(scope, session, page)
    }

    fn turns<'a>(&'a self, scope: &'a Scope, page: TurnPage) -> Answer<'a, TurnList> {
        self.store.turns(scope, page)
    }

    fn turn_after<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        number: u32,
    ) -> Answer<'a, Option<(TurnId, u32)>> {
        self.store.turn_after(scope, session, number)
    }

    fn delete<'a>(&'a self, scope: &'a Scope, session: SessionId) -> Answer<'a, ()> {
        self.store.delete(scope, session)
    }
}

impl KeyStore for Mutated {
    fn add_key(&self, key: ApiKey) -> Answer<'_, ()> {
        self.store.add_key(key)
    }

    fn keys(&self) -> Answer<'_, Vec<ApiKey>> {
        self.store.keys()
    }

    fn revoke_key(&self, key: KeyId, at: Timestamp) -> Answer<'_, ()> {
        self.store.revoke_key(key, at)
    }
}

impl BlobStore for Mutated {
    fn put<'a>(&'a self, scope: &'a Scope, blob: NewBlob, content: BlobContent<'a>) -> Answer<'a, Blob> {
        self.store.put(scope, blob, content)
    }

    fn open<'a>(&'a self, scope: &'a Scope, blob: BlobId) -> Answer<'a, OpenBlob> {
        self.store.open(scope, blob)
    }

    fn forget_unnamed<'a>(&'a self, sweep: &'a Sweep, before: Timestamp) -> Answer<'a, u64> {
        self.store.forget_unnamed(sweep, before)
    }
}
