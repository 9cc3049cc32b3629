//! The death of a process, and what it means for the turns that had not ended.

use rusqlite::{Connection, Transaction, TransactionBehavior};
use turnkit_core::{Deaths, TurnId};

use super::failure::Failure;

/// Turns that have begun and not ended.
const UNFINISHED: &str = "started_at IS NOT NULL AND ended_at IS NULL";

/// Records the death of the process before this one, if it left turns. Those that it ran share the blame. Those that were
/// suspended are acquitted: something else kills the process. A turn that waited for a decision goes on, because no
/// decision can reach it any more.
pub(super) fn record(connection: &mut Connection) -> Result<(), Failure> {
    let count = format!("SELECT count(*) FROM turns INDEXED BY one_turn WHERE {UNFINISHED}");
    let unfinished: u32 = connection.query_row(&count, [], |row| row.get(0))?;
    if unfinished == 0 {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction
        .execute(&format!("UPDATE turns SET blame = 0, suspended = 0 WHERE suspended = 1 AND {UNFINISHED}"), [])?;
    share_blame(&transaction)?;
    transaction.execute(&format!("UPDATE turns SET state = 'running' WHERE state = 'waiting' AND {UNFINISHED}"), [])?;
    transaction.commit()?;
    Ok(())
}

/// Suspends a turn that nobody owns.
pub(super) fn suspend(connection: &Connection, turn: TurnId) -> Result<(), Failure> {
    let mut update = connection.prepare_cached(
        "UPDATE turns SET suspended = 1 WHERE id = ? AND owner IS NULL AND started_at IS NOT NULL AND ended_at IS NULL",
    )?;
    update.execute([turn.0.as_bytes()])?;
    Ok(())
}

fn share_blame(transaction: &Transaction<'_>) -> Result<(), Failure> {
    // The data directory is locked and this process has only begun, so every owner is dead.
    let running = format!("owner IS NOT NULL AND {UNFINISHED}");
    let count = format!("SELECT count(*) FROM turns WHERE {running}");
    let turns: u32 = transaction.query_row(&count, [], |row| row.get(0))?;
    let blame = Deaths::share(turns);
    transaction.execute(
        &format!("UPDATE turns SET owner = NULL, deaths = deaths + 1, blame = blame + ? WHERE {running}"),
        [blame],
    )?;
    Ok(())
}
