//! Removes sessions: they lose their user at once, and their rows are deleted in slices, so that no turn is delayed.

use rusqlite::{Connection, OptionalExtension as _};
use turnkit_core::{ConflictKind, Scope, SessionId};

use super::failure::Failure;
use super::rows::StoredSession;
use super::search_index;

/// The number of messages and turns that one transaction deletes.
const SLICE: usize = 256;

/// Selects the session with the key `?1` and the sessions of its sub-agents.
macro_rules! below {
    () => {
        "WITH RECURSIVE below (key) AS (SELECT ?1 \
         UNION ALL SELECT s.key FROM below b CROSS JOIN sessions s INDEXED BY child_sessions ON s.parent = b.key) "
    };
}

/// Removes a session from its user, unless one of its turns is unfinished. Reads nothing else of it, so that damaged
/// sessions can be removed. Its idempotency keys stay, so that a repeated request does not start a turn in a new
/// session.
pub(super) fn delete(connection: &Connection, scope: &Scope, session: SessionId) -> Result<(), Failure> {
    let key = StoredSession::key_of(connection, scope, session)?;
    if is_busy(connection, key)? {
        return Err(Failure::conflict(ConflictKind::SessionBusy));
    }
    detach(connection, key)
}

/// Removes the user of a session and of its sub-agents' sessions. Deletes their grants, and leaves only rows for
/// [`delete_slice`]. The columns `tenant` and `user` become blobs, which never equal a name.
pub(super) fn detach(connection: &Connection, session: i64) -> Result<(), Failure> {
    let mut delete = connection.prepare_cached(concat!(
        below!(),
        "DELETE FROM grants WHERE session IN (SELECT s.id FROM below b JOIN sessions s ON s.key = b.key)"
    ))?;
    delete.execute([session])?;
    let mut update = connection.prepare_cached(concat!(
        below!(),
        "UPDATE sessions SET removed = 1, id = 'removed ' || key, tenant = x'', user = x'', name = NULL, title = '', \
         metadata = '{}', ephemeral = 0 WHERE key IN below"
    ))?;
    update.execute([session])?;
    Ok(())
}

/// Reports whether there are rows of removed sessions.
pub(super) fn has_remaining_rows(connection: &Connection) -> Result<bool, Failure> {
    let mut select = connection.prepare_cached("SELECT EXISTS (SELECT 1 FROM sessions WHERE removed = 1)")?;
    Ok(select.query_row([], |row| row.get(0))?)
}

/// Deletes a slice of the rows of removed sessions. If the search index is damaged, empties the index and deletes
/// nothing.
pub(super) fn delete_slice(connection: &Connection) -> Result<(), Failure> {
    search_index::repairing(connection, || remove_rows(connection))
}

fn remove_rows(connection: &Connection) -> Result<(), Failure> {
    let mut removed = connection.prepare_cached("SELECT key FROM sessions WHERE removed = 1 LIMIT 1")?;
    let mut turns = connection.prepare_cached("SELECT key FROM turns WHERE session = ? LIMIT 1")?;
    let mut session_row = connection.prepare_cached("DELETE FROM sessions WHERE key = ?")?;
    let mut left = SLICE;
    while left > 0 {
        let Some(session) = removed.query_row([], |row| row.get::<_, i64>(0)).optional()? else { break };
        match turns.query_row([session], |row| row.get(0)).optional()? {
            Some(turn) => left = remove_turn(connection, turn, left)?,
            None => left -= session_row.execute([session])?,
        }
    }
    search_index::lower_mark(connection)
}

/// Deletes a turn, or at most `most` of its messages. Returns the number of rows that may still be deleted.
fn remove_turn(connection: &Connection, turn: i64, most: usize) -> Result<usize, Failure> {
    let mut messages = connection
        .prepare_cached("DELETE FROM messages WHERE rowid IN (SELECT rowid FROM messages WHERE turn = ? LIMIT ?)")?;
    let left = most - messages.execute((turn, most as i64))?;
    if left == 0 {
        return Ok(0);
    }
    for sql in [
        "DELETE FROM events WHERE turn = ?",
        "DELETE FROM tool_calls WHERE turn = ?",
        "DELETE FROM partials WHERE turn = ?",
        "DELETE FROM waits WHERE turn = ?",
        "DELETE FROM turn_blobs WHERE turn = ?",
        "DELETE FROM words WHERE rowid = ?",
        "DELETE FROM unsearched WHERE turn = ?",
        "DELETE FROM turns WHERE key = ?",
    ] {
        connection.prepare_cached(sql)?.execute([turn])?;
    }
    Ok(left - 1)
}

fn is_busy(connection: &Connection, session: i64) -> Result<bool, Failure> {
    let mut busy = connection.prepare_cached(concat!(
        below!(),
        "SELECT EXISTS (SELECT 1 FROM below b JOIN turns t INDEXED BY one_turn ON t.session = b.key \
         WHERE t.started_at IS NOT NULL AND t.ended_at IS NULL) \
         OR EXISTS (SELECT 1 FROM turns WHERE session = ?1 AND state = 'queued')"
    ))?;
    Ok(busy.query_row([session], |row| row.get(0))?)
}
