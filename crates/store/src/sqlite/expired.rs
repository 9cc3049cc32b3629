//! Deletes the logs of turns that ended long ago, and old idempotency keys, in slices, so that no turn is delayed.

use rusqlite::{Connection, OptionalExtension as _};
use turnkit_core::{SessionId, Timestamp};

use super::failure::Failure;
use super::log;
use super::removal;
use super::rows::uuid;

/// The number of turns, keys or sessions that one transaction deletes.
const SLICE: usize = 256;

/// An ended turn whose log is to be deleted.
pub(super) struct ExpiredLog {
    /// The key of the turn.
    pub(super) turn: i64,
    /// What is to be kept of the log.
    outline: Option<String>,
}

/// Returns a slice of the turns with a log that ended before `before`: the oldest after the turn `last`. Runs on a
/// reader, because it scans every turn since the oldest log, and reads the logs that it finds.
pub(super) fn candidates(connection: &Connection, before: Timestamp, last: i64) -> Result<Vec<ExpiredLog>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT t.key FROM turns t WHERE t.key >= max(? + 1, (SELECT min(turn) FROM events)) AND t.ended_at < ? \
         AND EXISTS (SELECT 1 FROM events e WHERE e.turn = t.key) ORDER BY t.key LIMIT ?",
    )?;
    let found = select.query_map((last, before.millis(), SLICE as i64), |row| row.get(0))?;
    let found: Vec<i64> = found.collect::<Result<_, _>>()?;
    found.into_iter().map(|turn| Ok(ExpiredLog { turn, outline: log::outline(connection, turn)? })).collect()
}

/// Deletes the log, receipts and decisions of `turns`, which have ended, and stores their outlines. Returns how many
/// still had a log.
pub(super) fn delete_logs(connection: &Connection, turns: &[ExpiredLog]) -> Result<u64, Failure> {
    let mut outlines = connection.prepare_cached("UPDATE turns SET outline = ? WHERE key = ?")?;
    let mut events = connection.prepare_cached("DELETE FROM events WHERE turn = ?")?;
    let mut calls = connection.prepare_cached("DELETE FROM tool_calls WHERE turn = ?")?;
    let mut waits = connection.prepare_cached("DELETE FROM waits WHERE turn = ?")?;
    let mut deleted = 0;
    for ExpiredLog { turn, outline } in turns {
        if events.execute([turn])? > 0 {
            deleted += 1;
            outlines.execute((outline, turn))?;
        }
        calls.execute([turn])?;
        waits.execute([turn])?;
    }
    Ok(deleted)
}

/// Deletes a slice of the idempotency keys used before `before`. Returns `true` if there may be more.
pub(super) fn delete_old_keys(connection: &Connection, before: Timestamp) -> Result<bool, Failure> {
    let mut delete = connection.prepare_cached(
        "DELETE FROM idem_keys WHERE (tenant, user, key) IN \
         (SELECT tenant, user, key FROM idem_keys WHERE used_at < ? LIMIT ?)",
    )?;
    Ok(delete.execute((before.millis(), SLICE as i64))? == SLICE)
}

/// The sort key of an ephemeral session: the time of its last activity, and its row key.
pub(super) type Age = (i64, i64);

/// Returns a slice of the idle ephemeral sessions that were last active before `before`: the oldest after the one at
/// `last`.
pub(super) fn ephemeral(connection: &Connection, before: Timestamp, last: Age) -> Result<Vec<Age>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT s.last_active_at, s.key FROM sessions s WHERE s.ephemeral = 1 AND s.last_active_at < ? \
         AND (s.last_active_at, s.key) > (?, ?) AND NOT EXISTS \
         (SELECT 1 FROM turns t WHERE t.session = s.key AND t.ended_at IS NULL) \
         ORDER BY s.last_active_at, s.key LIMIT ?",
    )?;
    let row = (before.millis(), last.0, last.1, SLICE as i64);
    let found = select.query_map(row, |row| row.try_into())?.collect::<Result<_, _>>();
    Ok(found?)
}

/// Removes those of `sessions` that have had no new turn since they were found, and returns their ids. Their
/// idempotency keys are equally old and already deleted.
pub(super) fn remove(connection: &Connection, before: Timestamp, sessions: &[Age]) -> Result<Vec<SessionId>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT s.id FROM sessions s WHERE s.key = ? AND s.ephemeral = 1 AND s.last_active_at < ? \
         AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.session = s.key AND t.ended_at IS NULL)",
    )?;
    let mut gone = Vec::with_capacity(sessions.len());
    for (_, key) in sessions {
        // A session with a damaged id is removed too, because no caller can address it.
        let found = select.query_row((key, before.millis()), |row| Ok(uuid(row, 0).ok())).optional()?;
        let Some(id) = found else { continue };
        removal::detach(connection, *key)?;
        gone.extend(id.map(SessionId));
    }
    Ok(gone)
}
