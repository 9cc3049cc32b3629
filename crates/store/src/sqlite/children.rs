//! Turns of sub-agents: stopped along with their parent turn, and reported to it.

use rusqlite::Connection;
use turnkit_core::{ChildReport, Denial, Resolution, Timestamp, TurnId, WaitKind};

use super::failure::Failure;
use super::rows::{Word as _, to_json, turn_id};
use super::waits;

/// Decides the wait of the parent turn when the turn of a sub-agent has ended, unless it is already decided.
pub(super) fn report(connection: &Connection, turn: i64, report: &ChildReport, at: Timestamp) -> Result<(), Failure> {
    let mut select = connection
        .prepare_cached("SELECT parent, parent_step, parent_ordinal, parent_number FROM turns WHERE key = ?")?;
    let parent = select.query_row([turn], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    let (Some(parent), step, ordinal, number): (Option<i64>, Option<u16>, Option<u16>, Option<u16>) = parent else {
        return Ok(());
    };
    let resolution = to_json(&Resolution::Child(Box::new(report.clone()))).map_err(Failure::Refused)?;
    let mut update = connection.prepare_cached(
        "UPDATE waits SET resolution = ?, decided_at = ? \
         WHERE turn = ? AND step = ? AND ordinal = ? AND number = ? AND decided_at IS NULL",
    )?;
    if update.execute((resolution, at.millis(), parent, step, ordinal, number))? > 0 {
        waits::make_claimable(connection, parent)?;
    }
    Ok(())
}

/// Reports whether `turn` or one of its descendants waits for a decision of a person or a program.
pub(super) fn waits_for_decision(connection: &Connection, turn: i64) -> Result<bool, Failure> {
    let mut select = connection.prepare_cached(
        "WITH RECURSIVE family (key) AS (VALUES (?1) \
         UNION ALL SELECT t.key FROM family b CROSS JOIN turns t INDEXED BY child_turns ON t.parent = b.key) \
         SELECT EXISTS (SELECT 1 FROM family b CROSS JOIN waits w ON w.turn = b.key \
         WHERE w.decided_at IS NULL AND w.kind <> ?2)",
    )?;
    Ok(select.query_row((turn, WaitKind::Child.word()), |row| row.get(0))?)
}

/// Asks every descendant of `turn` to stop, and returns those that have not ended.
pub(super) fn stop(connection: &Connection, turn: i64, at: Timestamp) -> Result<Vec<TurnId>, Failure> {
    let mut select = connection.prepare_cached(
        "WITH RECURSIVE below (key) AS (SELECT key FROM turns INDEXED BY child_turns WHERE parent = ?1 \
         UNION ALL SELECT t.key FROM below b CROSS JOIN turns t INDEXED BY child_turns ON t.parent = b.key) \
         SELECT t.key, t.id FROM below b CROSS JOIN turns t ON t.key = b.key WHERE t.ended_at IS NULL",
    )?;
    let below = select.query_map([turn], |row| Ok((row.get(0)?, turn_id(row, 1)?)))?;
    let below: Vec<(i64, TurnId)> = below.collect::<Result<_, _>>()?;
    let mut update = connection.prepare_cached(
        "UPDATE turns SET state = 'cancelling', stop = 'cancelled' WHERE key = ? AND state IN ('running', 'waiting')",
    )?;
    for (key, _) in &below {
        if update.execute([key])? > 0 {
            waits::deny(connection, *key, Denial::Cancelled, at)?;
        }
    }
    Ok(below.into_iter().map(|(_, id)| id).collect())
}
