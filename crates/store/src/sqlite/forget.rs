//! Forgetting the logs of turns that are long over, in slices, so that no turn waits for it.

use rusqlite::Connection;
use turnkit_core::Timestamp;

use super::failure::Failure;

/// How many turns one transaction forgets.
const SLICE: usize = 256;

/// Turns that ended before `before` and have a log, a slice of them. Runs on a reader: it may have to look at many.
pub(super) fn candidates(connection: &Connection, before: Timestamp) -> Result<Vec<i64>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT t.key FROM events e JOIN turns t ON t.key = e.turn WHERE e.from_seq = 1 AND t.ended_at < ? LIMIT ?",
    )?;
    let found = select.query_map((before.millis(), SLICE as i64), |row| row.get(0))?.collect::<Result<_, _>>();
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

/// Removes idempotency keys that were used before `before`.
pub(super) fn forget_keys(connection: &Connection, before: Timestamp) -> Result<(), Failure> {
    connection.prepare_cached("DELETE FROM idem_keys WHERE used_at < ?")?.execute([before.millis()])?;
    Ok(())
}
