//! Forgetting the logs of turns that are long over, and old keys, in slices, so that no turn waits for it.

use rusqlite::Connection;
use turnkit_core::Timestamp;

use super::failure::Failure;

/// How many turns, or keys, one transaction forgets.
const SLICE: usize = 256;

/// Turns that ended before `before` and have a log, a slice of them: the oldest after the turn `last`. Runs on a reader:
/// it looks at every turn since the oldest log.
pub(super) fn candidates(connection: &Connection, before: Timestamp, last: i64) -> Result<Vec<i64>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT t.key FROM turns t WHERE t.key >= max(? + 1, (SELECT min(turn) FROM events)) AND t.ended_at < ? \
         AND EXISTS (SELECT 1 FROM events e WHERE e.turn = t.key) ORDER BY t.key LIMIT ?",
    )?;
    let found = select.query_map((last, before.millis(), SLICE as i64), |row| row.get(0))?.collect::<Result<_, _>>();
    Ok(found?)
}

/// Removes log and receipts of `turns`, which are over; gives how many still had a log.
pub(super) fn forget(connection: &Connection, turns: &[i64]) -> Result<u64, Failure> {
    let mut events = connection.prepare_cached("DELETE FROM events WHERE turn = ?")?;
    let mut calls = connection.prepare_cached("DELETE FROM tool_calls WHERE turn = ?")?;
    let mut forgotten = 0;
    for turn in turns {
        forgotten += u64::from(events.execute([turn])? > 0);
        calls.execute([turn])?;
    }
    Ok(forgotten)
}

/// Removes idempotency keys that were used before `before`, a slice of them; `true` if there may be more.
pub(super) fn forget_keys(connection: &Connection, before: Timestamp) -> Result<bool, Failure> {
    let mut delete = connection.prepare_cached(
        "DELETE FROM idem_keys WHERE (tenant, user, key) IN \
         (SELECT tenant, user, key FROM idem_keys WHERE used_at < ? LIMIT ?)",
    )?;
    Ok(delete.execute((before.millis(), SLICE as i64))? == SLICE)
}
