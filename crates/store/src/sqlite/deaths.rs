//! Records the death of a process, and its consequences for unfinished turns.

use rusqlite::{Connection, TransactionBehavior};
use turnkit_core::{Deaths, TurnId, WorkerId};

use super::failure::Failure;

/// Turns that have begun and not ended.
const UNFINISHED: &str = "started_at IS NOT NULL AND ended_at IS NULL";

/// Records the death of the previous process, if it left unfinished turns. The turns that it ran share the blame.
/// Suspended turns are without blame, because something else killed the process. A waiting turn with no pending
/// decision becomes runnable.
pub(super) fn record_predecessor(connection: &mut Connection) -> Result<(), Failure> {
    let count = format!("SELECT count(*) FROM turns INDEXED BY one_turn WHERE {UNFINISHED}");
    let unfinished: u32 = connection.query_row(&count, [], |row| row.get(0))?;
    if unfinished == 0 {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // The data directory is locked and this process has just started, so every owner is dead.
    acquit_suspended(&transaction)?;
    share_blame(&transaction, None)?;
    let without_question = "NOT EXISTS (SELECT 1 FROM waits w WHERE w.turn = turns.key AND w.decided_at IS NULL)";
    transaction.execute(
        &format!("UPDATE turns SET state = 'running' WHERE state = 'waiting' AND {UNFINISHED} AND {without_question}"),
        [],
    )?;
    transaction.commit()?;
    Ok(())
}

/// Records the death of a worker that shared the store with other live workers.
pub(super) fn record_worker(connection: &Connection, dead: &WorkerId) -> Result<(), Failure> {
    acquit_suspended(connection)?;
    share_blame(connection, Some(dead))
}

/// Suspends a turn that has no owner.
pub(super) fn suspend(connection: &Connection, turn: TurnId) -> Result<(), Failure> {
    let mut update = connection.prepare_cached(
        "UPDATE turns SET suspended = 1 WHERE id = ? AND owner IS NULL AND started_at IS NOT NULL AND ended_at IS NULL",
    )?;
    update.execute([turn.0.as_bytes()])?;
    Ok(())
}

fn acquit_suspended(connection: &Connection) -> Result<(), Failure> {
    let acquit =
        format!("UPDATE turns INDEXED BY one_turn SET blame = 0, suspended = 0 WHERE suspended = 1 AND {UNFINISHED}");
    connection.execute(&acquit, [])?;
    Ok(())
}

/// Clears the owner of the turns of the dead worker, or of every worker. These turns share the blame.
fn share_blame(connection: &Connection, dead: Option<&WorkerId>) -> Result<(), Failure> {
    let running = format!("owner IS NOT NULL AND (?1 IS NULL OR owner = ?1) AND {UNFINISHED}");
    let dead = dead.map(|worker| &*worker.0);
    let count = format!("SELECT count(*) FROM turns INDEXED BY one_turn WHERE {running}");
    let turns: u32 = connection.query_row(&count, [dead], |row| row.get(0))?;
    let blame = Deaths::share(turns);
    connection.execute(
        &format!(
            "UPDATE turns INDEXED BY one_turn SET owner = NULL, deaths = deaths + 1, blame = blame + ?2 WHERE {running}"
        ),
        (dead, blame),
    )?;
    Ok(())
}
