//! Intercepted calls about sessions, keys and files.

use std::ops::Range;

use turnkit_core::ports::{
    ApiKey, BlobContent, BlobStore, Fork, ImportedTurns, KeyStore, MessagePage, NewSession, OpenBlob, SessionEdit,
    SessionList, SessionMatches, SessionPage, SessionSearch, SessionState, SessionStore, StoredMessage, TurnList,
    TurnMatch, TurnPage, TurnSearch, UnfinishedTurns,
};
use turnkit_core::{
    Blob, BlobId, History, KeyId, Message, NewBlob, QueuedTurn, Scope, Session, SessionId, SessionName, SessionSummary,
    Sweep, Timestamp, TurnId,
};

use super::{InterceptedStore, StoreCall, StoreInterceptor};

impl<I: StoreInterceptor> SessionStore for InterceptedStore<I> {
    fn list<'a>(&'a self, scope: &'a Scope, page: SessionPage) -> StoreCall<'a, SessionList> {
        self.interceptor.intercept("list", self.inner.list(scope, page))
    }

    fn search<'a>(&'a self, scope: &'a Scope, search: SessionSearch) -> StoreCall<'a, SessionMatches> {
        self.interceptor.intercept("search", self.inner.search(scope, search))
    }

    fn search_turns<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        search: TurnSearch,
    ) -> StoreCall<'a, Vec<TurnMatch>> {
        self.interceptor.intercept("search_turns", self.inner.search_turns(scope, session, search))
    }

    fn create<'a>(&'a self, scope: &'a Scope, session: NewSession) -> StoreCall<'a, SessionSummary> {
        self.interceptor.intercept("create", self.inner.create(scope, session))
    }

    fn summary<'a>(&'a self, scope: &'a Scope, session: SessionId) -> StoreCall<'a, SessionSummary> {
        self.interceptor.intercept("summary", self.inner.summary(scope, session))
    }

    fn edit<'a>(&'a self, scope: &'a Scope, session: SessionId, edit: SessionEdit) -> StoreCall<'a, SessionSummary> {
        self.interceptor.intercept("edit", self.inner.edit(scope, session, edit))
    }

    fn fork<'a>(&'a self, scope: &'a Scope, fork: Fork) -> StoreCall<'a, SessionSummary> {
        self.interceptor.intercept("fork", self.inner.fork(scope, fork))
    }

    fn import<'a>(
        &'a self,
        scope: &'a Scope,
        session: NewSession,
        turns: ImportedTurns,
    ) -> StoreCall<'a, SessionSummary> {
        self.interceptor.intercept("import", self.inner.import(scope, session, turns))
    }

    fn state<'a>(&'a self, scope: &'a Scope, session: SessionId) -> StoreCall<'a, SessionState> {
        self.interceptor.intercept("state", self.inner.state(scope, session))
    }

    fn queue<'a>(&'a self, scope: &'a Scope, session: SessionId) -> StoreCall<'a, Vec<QueuedTurn>> {
        self.interceptor.intercept("queue", self.inner.queue(scope, session))
    }

    fn unfinished_turns<'a>(&'a self, scope: &'a Scope, session: SessionId) -> StoreCall<'a, UnfinishedTurns> {
        self.interceptor.intercept("unfinished_turns", self.inner.unfinished_turns(scope, session))
    }

    fn session<'a>(&'a self, scope: &'a Scope, session: SessionId) -> StoreCall<'a, Session> {
        self.interceptor.intercept("session", self.inner.session(scope, session))
    }

    fn session_named<'a>(&'a self, scope: &'a Scope, name: &'a SessionName) -> StoreCall<'a, Session> {
        self.interceptor.intercept("session_named", self.inner.session_named(scope, name))
    }

    fn session_history<'a>(&'a self, scope: &'a Scope, session: SessionId) -> StoreCall<'a, History> {
        self.interceptor.intercept("session_history", self.inner.session_history(scope, session))
    }

    fn messages<'a>(&'a self, scope: &'a Scope, session: SessionId) -> StoreCall<'a, Vec<Message>> {
        self.interceptor.intercept("messages", self.inner.messages(scope, session))
    }

    fn turn_messages<'a>(&'a self, scope: &'a Scope, turn: TurnId) -> StoreCall<'a, Vec<Message>> {
        self.interceptor.intercept("turn_messages", self.inner.turn_messages(scope, turn))
    }

    fn message_page<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        page: MessagePage,
    ) -> StoreCall<'a, Vec<StoredMessage>> {
        self.interceptor.intercept("message_page", self.inner.message_page(scope, session, page))
    }

    fn turns<'a>(&'a self, scope: &'a Scope, page: TurnPage) -> StoreCall<'a, TurnList> {
        self.interceptor.intercept("turns", self.inner.turns(scope, page))
    }

    fn numbered_turns<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        numbers: Range<u32>,
    ) -> StoreCall<'a, TurnList> {
        self.interceptor.intercept("numbered_turns", self.inner.numbered_turns(scope, session, numbers))
    }

    fn turn_after<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        number: u32,
    ) -> StoreCall<'a, Option<(TurnId, u32)>> {
        self.interceptor.intercept("turn_after", self.inner.turn_after(scope, session, number))
    }

    fn delete<'a>(&'a self, scope: &'a Scope, session: SessionId) -> StoreCall<'a, ()> {
        self.interceptor.intercept("delete", self.inner.delete(scope, session))
    }
}

impl<I: StoreInterceptor> KeyStore for InterceptedStore<I> {
    fn add_key(&self, key: ApiKey) -> StoreCall<'_, ()> {
        self.interceptor.intercept("add_key", self.inner.add_key(key))
    }

    fn keys(&self) -> StoreCall<'_, Vec<ApiKey>> {
        self.interceptor.intercept("keys", self.inner.keys())
    }

    fn revoke_key(&self, key: KeyId, at: Timestamp) -> StoreCall<'_, ()> {
        self.interceptor.intercept("revoke_key", self.inner.revoke_key(key, at))
    }
}

impl<I: StoreInterceptor> BlobStore for InterceptedStore<I> {
    fn put<'a>(&'a self, scope: &'a Scope, blob: NewBlob, content: BlobContent<'a>) -> StoreCall<'a, Blob> {
        self.interceptor.intercept("put", self.inner.put(scope, blob, content))
    }

    fn open<'a>(&'a self, scope: &'a Scope, blob: BlobId) -> StoreCall<'a, OpenBlob> {
        self.interceptor.intercept("open", self.inner.open(scope, blob))
    }

    fn delete_unreferenced<'a>(&'a self, sweep: &'a Sweep, before: Timestamp) -> StoreCall<'a, u64> {
        self.interceptor.intercept("delete_unreferenced", self.inner.delete_unreferenced(sweep, before))
    }
}
