//! Sessions as lists show them.

use rusqlite::{Connection, OptionalExtension as _};
use turnkit_core::ports::{SessionPage, SessionSummary};
use turnkit_core::{Scope, Session, SessionId};

use super::failure::Failure;
use super::rows::{SESSION_COLUMNS, StoredSession, session_columns};

/// A page of an owner's sessions, the last used first, without those of one turn alone.
pub(super) fn list(connection: &Connection, scope: &Scope, page: SessionPage) -> Result<Vec<SessionSummary>, Failure> {
    let (tenant, user) = (&scope.tenant.0, &scope.user.0);
    let (last_active, key) = match page.after {
        Some(after) => place_in_list(connection, scope, after)?,
        None => (i64::MAX, i64::MAX),
    };
    let mut select = connection.prepare_cached(concat!(
        "SELECT ",
        session_columns!(),
        ", sessions.title FROM sessions WHERE tenant = ? AND user = ? AND ephemeral = 0 \
         AND (last_active_at, key) < (?, ?) ORDER BY last_active_at DESC, key DESC LIMIT ?"
    ))?;
    let mut rows = select.query((tenant, user, last_active, key, page.limit))?;
    let mut sessions = Vec::new();
    while let Some(row) = rows.next()? {
        let StoredSession { session, .. } = StoredSession::read(row)?;
        sessions.push(shown(session, row.get(SESSION_COLUMNS)?));
    }
    Ok(sessions)
}

/// One session, and where it is.
pub(super) struct Summary {
    pub(super) key: i64,
    /// The number of the turn that the next one continues.
    pub(super) head: Option<u32>,
    pub(super) session: SessionSummary,
}

/// One session.
pub(super) fn summary(connection: &Connection, scope: &Scope, session: SessionId) -> Result<Summary, Failure> {
    let mut select = connection.prepare_cached(concat!(
        "SELECT ",
        session_columns!(),
        ", sessions.title FROM sessions WHERE tenant = ? AND user = ? AND id = ?"
    ))?;
    let mut rows = select.query((&scope.tenant.0, &scope.user.0, session.0.as_bytes()))?;
    let row = rows.next()?.ok_or_else(Failure::not_found)?;
    let StoredSession { key, head, session } = StoredSession::read(row)?;
    Ok(Summary { key, head, session: shown(session, row.get(SESSION_COLUMNS)?) })
}

fn shown(session: Session, title: Box<str>) -> SessionSummary {
    let Session { id, name, agent, metadata, usage, turns, created_at, last_active, .. } = session;
    SessionSummary { id, name, agent: agent.into_boxed_str(), title, turns, created_at, last_active, usage, metadata }
}

fn place_in_list(connection: &Connection, scope: &Scope, session: SessionId) -> Result<(i64, i64), Failure> {
    let mut select = connection.prepare_cached(
        "SELECT last_active_at, key FROM sessions WHERE id = ? AND tenant = ? AND user = ? AND ephemeral = 0",
    )?;
    let found =
        select.query_row((session.0.as_bytes(), &scope.tenant.0, &scope.user.0), |row| Ok((row.get(0)?, row.get(1)?)));
    found.optional()?.ok_or_else(Failure::not_found)
}
