//! Sessions as shown in lists.

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, Row};
use turnkit_core::ports::{SessionList, SessionPage};
use turnkit_core::{Scope, SessionId, SessionSummary};

use super::failure::Failure;
use super::rows::{SESSION_COLUMNS, StoredSession, optional_turn_id, session_columns};
use super::shelf;

/// The maximum number of damaged sessions that are named along with a page of readable ones.
pub(super) const MAX_UNREADABLE: u32 = 1000;

/// Selects the columns that [`read`] reads.
macro_rules! summaries {
    () => {
        concat!(
            "SELECT ",
            session_columns!(),
            ", sessions.title, (SELECT h.id FROM turns h WHERE h.session = sessions.key AND h.number = sessions.head), \
             sessions.ephemeral = 0, sessions.shelf FROM sessions"
        )
    };
}
pub(super) use summaries;

/// Returns a page of an owner's sessions, without ephemeral ones.
pub(super) fn list(connection: &Connection, scope: &Scope, page: SessionPage) -> Result<SessionList, Failure> {
    let (tenant, user) = (&scope.tenant.0, &scope.user.0);
    let place = ListPlace::of(connection, scope, page.after, page.archived)?;
    let lowest = shelf::lowest(page.archived);
    let mut select = connection.prepare_cached(concat!(
        summaries!(),
        " WHERE tenant = ? AND user = ? AND ephemeral = 0 AND shelf >= ? \
         AND (shelf, last_active_at, key) < (?, ?, ?) ORDER BY shelf DESC, last_active_at DESC, key DESC LIMIT ?"
    ))?;
    let limit = page.limit.saturating_add(MAX_UNREADABLE);
    let mut rows = select.query((tenant, user, lowest, place.shelf, place.last_active, place.key, limit))?;
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
    let (pinned, archived) = shelf::read(row, SESSION_COLUMNS + 3);
    let summary = SessionSummary { listed, pinned, archived, ..SessionSummary::new(session, title, head_id) };
    Ok(Summary { key, head, session: summary })
}

/// A place in the list of an owner's sessions, from which a page continues.
pub(super) struct ListPlace {
    pub(super) shelf: Value,
    pub(super) last_active: Value,
    pub(super) key: i64,
}

impl ListPlace {
    /// Returns the place after the session `after`, or else the first one. If `after` has been archived or taken back
    /// meanwhile, it is the place that the session had in a list of the requested ones.
    pub(super) fn of(
        connection: &Connection,
        scope: &Scope,
        after: Option<SessionId>,
        archived: Option<bool>,
    ) -> Result<Self, Failure> {
        // SQLite sorts blobs after all other values, and so after a damaged shelf or time.
        let last = || Value::Blob(Vec::new());
        let Some(after) = after else {
            let shelf = if archived == Some(true) { Value::Integer(shelf::HIGHEST_ARCHIVED) } else { last() };
            return Ok(Self { shelf, last_active: last(), key: i64::MAX });
        };
        let mut select = connection.prepare_cached(
            "SELECT shelf, last_active_at, key FROM sessions WHERE id = ? AND tenant = ? AND user = ? AND ephemeral = 0",
        )?;
        let found = select.query_row((after.0.as_bytes(), &scope.tenant.0, &scope.user.0), |row| {
            let shelf = match row.get(0)? {
                Value::Integer(shelf) => Value::Integer(shelf::among(shelf, archived)),
                damaged => damaged,
            };
            Ok(Self { shelf, last_active: row.get(1)?, key: row.get(2)? })
        });
        found.optional()?.ok_or_else(Failure::not_found)
    }
}
