//! The sessions' side of the store.

use rusqlite::{Connection, OptionalExtension as _};
use turnkit_core::ports::{BoxFuture, SessionPage, SessionStore, SessionSummary};
use turnkit_core::{ConflictKind, Message, Scope, Session, SessionId, SessionName, StoreError};

use super::failure::Failure;
use super::job::JobKind;
use super::rows::{StoredSession, timestamp, unreadable, uuid};
use super::{SqliteStore, log};

impl SessionStore for SqliteStore {
    fn list<'a>(
        &'a self,
        scope: &'a Scope,
        page: SessionPage,
    ) -> BoxFuture<'a, Result<Vec<SessionSummary>, StoreError>> {
        let scope = scope.clone();
        self.read(move |connection| list(connection, &scope, page))
    }

    fn session<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<Session, StoreError>> {
        let scope = scope.clone();
        self.read(move |connection| Ok(StoredSession::of_owner(connection, &scope, session)?.session))
    }

    fn session_named<'a>(
        &'a self,
        scope: &'a Scope,
        name: &'a SessionName,
    ) -> BoxFuture<'a, Result<Session, StoreError>> {
        let (scope, name) = (scope.clone(), name.clone());
        self.read(move |connection| Ok(StoredSession::named(connection, &scope, &name)?.session))
    }

    fn messages<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<Vec<Message>, StoreError>> {
        let scope = scope.clone();
        self.read(move |connection| {
            let found = StoredSession::of_owner(connection, &scope, session)?;
            log::branch(connection, found.key, found.head)
        })
    }

    fn delete<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<(), StoreError>> {
        let scope = scope.clone();
        self.write(JobKind::Other, move |connection| delete(connection, &scope, session))
    }
}

pub(super) fn list(connection: &Connection, scope: &Scope, page: SessionPage) -> Result<Vec<SessionSummary>, Failure> {
    let (tenant, user) = (&scope.tenant.0, &scope.user.0);
    let (last_active, key) = match page.after {
        Some(after) => place_in_list(connection, scope, after)?,
        None => (i64::MAX, i64::MAX),
    };
    let mut select = connection.prepare_cached(
        "SELECT id, name, agent, title, turns, last_active_at FROM sessions \
         WHERE tenant = ? AND user = ? AND (last_active_at, key) < (?, ?) \
         ORDER BY last_active_at DESC, key DESC LIMIT ?",
    )?;
    let mut rows = select.query((tenant, user, last_active, key, page.limit))?;
    let mut sessions = Vec::new();
    while let Some(row) = rows.next()? {
        let name: Option<String> = row.get(1)?;
        sessions.push(SessionSummary {
            id: SessionId(uuid(row, 0)?),
            name: name.map(|name| name.parse::<SessionName>()).transpose().map_err(unreadable)?,
            agent: row.get(2)?,
            title: row.get(3)?,
            turns: row.get(4)?,
            last_active: timestamp(row, 5)?,
        });
    }
    Ok(sessions)
}

fn place_in_list(connection: &Connection, scope: &Scope, session: SessionId) -> Result<(i64, i64), Failure> {
    let mut select = connection
        .prepare_cached("SELECT last_active_at, key FROM sessions WHERE id = ? AND tenant = ? AND user = ?")?;
    let found =
        select.query_row((session.0.as_bytes(), &scope.tenant.0, &scope.user.0), |row| Ok((row.get(0)?, row.get(1)?)));
    found.optional()?.ok_or_else(Failure::not_found)
}

pub(super) fn delete(connection: &Connection, scope: &Scope, session: SessionId) -> Result<(), Failure> {
    let key = StoredSession::of_owner(connection, scope, session)?.key;
    let mut busy = connection.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM turns WHERE session = ?1 AND state IN ('running', 'waiting', 'cancelling')) \
         OR EXISTS (SELECT 1 FROM turns WHERE session = ?1 AND state = 'queued')",
    )?;
    if busy.query_row([key], |row| row.get(0))? {
        return Err(Failure::conflict(ConflictKind::SessionBusy));
    }
    connection
        .prepare_cached(
            "DELETE FROM idem_keys WHERE tenant = ? AND user = ? AND turn IN (SELECT id FROM turns WHERE session = ?)",
        )?
        .execute((&scope.tenant.0, &scope.user.0, key))?;
    for sql in [
        "DELETE FROM events WHERE turn IN (SELECT key FROM turns WHERE session = ?)",
        "DELETE FROM tool_calls WHERE turn IN (SELECT key FROM turns WHERE session = ?)",
        "DELETE FROM messages WHERE turn IN (SELECT key FROM turns WHERE session = ?)",
        "DELETE FROM turns WHERE session = ?",
        "DELETE FROM sessions WHERE key = ?",
    ] {
        connection.prepare_cached(sql)?.execute([key])?;
    }
    Ok(())
}
