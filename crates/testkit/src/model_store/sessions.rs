//! The sessions' side of the store.

use turnkit_core::ports::{BoxFuture, SessionPage, SessionStore, SessionSummary};
use turnkit_core::{ConflictKind, Message, Scope, Session, SessionId, SessionName, StoreError};

use super::ModelStore;
use super::disk::{Rows, SessionRow, State};

impl SessionStore for ModelStore {
    fn list<'a>(
        &'a self,
        scope: &'a Scope,
        page: SessionPage,
    ) -> BoxFuture<'a, Result<Vec<SessionSummary>, StoreError>> {
        Box::pin(self.commit(move |rows, _| rows.list(scope, page)))
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
            let found = rows.owned_sessions(scope).find(|(_, row)| row.session.name.as_ref() == Some(name));
            found.map(|(_, row)| row.session.clone()).ok_or(StoreError::NotFound)
        }))
    }

    fn messages<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<Vec<Message>, StoreError>> {
        Box::pin(self.commit(move |rows, _| {
            let (place, row) = rows.session(scope, session)?;
            Ok(rows.said(place, row.head))
        }))
    }

    fn delete<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(self.commit(move |rows, _| rows.delete(scope, session)))
    }
}

impl Rows {
    fn owned_sessions(&self, scope: &Scope) -> impl Iterator<Item = (usize, &SessionRow)> {
        self.sessions.iter().enumerate().filter(move |(_, row)| row.scope == *scope && !row.deleted)
    }

    fn session(&self, scope: &Scope, session: SessionId) -> Result<(usize, &SessionRow), StoreError> {
        self.owned_sessions(scope).find(|(_, row)| row.session.id == session).ok_or(StoreError::NotFound)
    }

    fn list(&self, scope: &Scope, page: SessionPage) -> Result<Vec<SessionSummary>, StoreError> {
        let mut rows: Vec<_> = self.owned_sessions(scope).collect();
        rows.sort_by_key(|(place, row)| std::cmp::Reverse((row.session.last_active, *place)));
        let first = match page.after {
            Some(after) => 1 + rows.iter().position(|(_, row)| row.session.id == after).ok_or(StoreError::NotFound)?,
            None => 0,
        };
        let summary = |row: &SessionRow| SessionSummary {
            id: row.session.id,
            name: row.session.name.clone(),
            agent: row.session.agent.as_str().into(),
            title: row.title.clone(),
            turns: row.session.turns,
            last_active: row.session.last_active,
        };
        Ok(rows.into_iter().skip(first).take(page.limit as usize).map(|(_, row)| summary(row)).collect())
    }

    fn delete(&mut self, scope: &Scope, session: SessionId) -> Result<(), StoreError> {
        let place = self.session(scope, session)?.0;
        let over = |state: State| matches!(state, State::Ended(_));
        if self.turns.iter().any(|turn| turn.session == place && !over(turn.state)) {
            return Err(StoreError::Conflict(ConflictKind::SessionBusy));
        }
        self.sessions[place].deleted = true;
        let turns = &self.turns;
        let of_session = |id| turns.iter().any(|turn| turn.id == id && turn.session == place);
        self.keys.retain(|_, key| !of_session(key.turn));
        Ok(())
    }
}
