//! Sessions as shown in lists.

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, Row};
use turnkit_core::ports::{SessionList, SessionPage};
use turnkit_core::{Scope, SessionId, SessionSummary};

use super::failure::Failure;
use super::rows::{SESSION_COLUMNS, StoredSession, optional_turn_id, session_columns};

/// The maximum number of damaged sessions that are named along with a page of readable ones.
pub(super) const MAX_UNREADABLE: u32 = 1000;

/// Selects the columns that [`read`] reads.
macro_rules! summaries {
    () => {
        concat!(
            "SELECT ",
            session_columns!(),
            ", sessions.title, (SELECT h.id FROM turns h WHERE h.session = sessions.key AND h.number = sessions.head), \
             sessions.ephemeral = 0 FROM sessions"
        )
    };
}
pub(super) use summaries;

/// Returns a page of an owner's sessions, most recently used first, without ephemeral ones.
pub(super) fn list(connection: &Connection, scope: &Scope, page: SessionPage) -> Result<SessionList, Failure> {
    let (tenant, user) = (&scope.tenant.0, &scope.user.0);
    let (last_active, key) = match page.after {
        Some(after) => place_in_list(connection, scope, after)?,
        // SQLite sorts blobs after all other values, and so after a damaged time.
        None => (Value::Blob(Vec::new()), i64::MAX),
    };
    let mut select = connection.prepare_cached(concat!(
        summaries!(),
        " WHERE tenant = ? AND user = ? AND ephemeral = 0 \
         AND (last_active_at, key) < (?, ?) ORDER BY last_active_at DESC, key DESC LIMIT ?"
    ))?;
    let mut rows = select.query((tenant, user, last_active, key, page.limit.saturating_add(MAX_UNREADABLE)))?;
    let mut list = SessionList::default();
    while list.sessions.len() < page.limit as usize
        && let Some(row) = rows.next()?
    {
        match read(row) {
            Ok(Summary { session, .. }) => list.sessions.push(session),
            Err(failure) if failure.is_damage() => list.unreadable.push(StoredSession::name_of(row)),
            Err(failure) => return Err(failure),
        }
    }
    Ok(list)
}

/// A session with its row key and its head.
pub(super) struct Summary {
    pub(super) key: i64,
    /// The number of the turn that the next turn continues.
    pub(super) head: Option<u32>,
    pub(super) session: SessionSummary,
}

/// Returns one session.
pub(super) fn summary(connection: &Connection, scope: &Scope, session: SessionId) -> Result<Summary, Failure> {
    let mut select = connection.prepare_cached(concat!(summaries!(), " WHERE tenant = ? AND user = ? AND id = ?"))?;
    let mut rows = select.query((&scope.tenant.0, &scope.user.0, session.0.as_bytes()))?;
    let row = rows.next()?.ok_or_else(Failure::not_found)?;
    read(row)
}

/// Returns the session with this key.
pub(super) fn summary_at(connection: &Connection, key: i64) -> Result<Summary, Failure> {
    let mut select = connection.prepare_cached(concat!(summaries!(), " WHERE key = ?"))?;
    let mut rows = select.query([key])?;
    let row = rows.next()?.ok_or_else(Failure::not_found)?;
    read(row)
}

/// Reads the columns of a session and its title.
pub(super) fn read(row: &Row<'_>) -> Result<Summary, Failure> {
    let StoredSession { key, head, session } = StoredSession::read(row)?;
    let damaged = |error| Failure::from(error).about(|| format!("session {}", StoredSession::name_of(row)));
    let title = row.get(SESSION_COLUMNS).map_err(damaged)?;
    // A damaged head turn does not hide its session.
    let head_id = optional_turn_id(row, SESSION_COLUMNS + 1).unwrap_or_default();
    let listed = row.get(SESSION_COLUMNS + 2).map_err(damaged)?;
    Ok(Summary { key, head, session: SessionSummary { listed, ..SessionSummary::new(session, title, head_id) } })
}

/// Returns the position of a session among its owner's, most recently used first.
pub(super) fn place_in_list(
    connection: &Connection,
    scope: &Scope,
    session: SessionId,
) -> Result<(Value, i64), Failure> {
    let mut select = connection.prepare_cached(
        "SELECT last_active_at, key FROM sessions WHERE id = ? AND tenant = ? AND user = ? AND ephemeral = 0",
    )?;
    let found =
        select.query_row((session.0.as_bytes(), &scope.tenant.0, &scope.user.0), |row| Ok((row.get(0)?, row.get(1)?)));
    found.optional()?.ok_or_else(Failure::not_found)
}
