//! The tables of a database, and the check that this version can read them.

use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior};

use super::failure::Failure;

/// The schema that this version writes. Schemas 1 to 13 were never released, so there is no upgrade from them.
pub(super) const CURRENT: u32 = 14;

/// All tables and indexes of [`CURRENT`].
const TABLES: &str = include_str!("schema/14.sql");

/// "tkit": distinguishes this program's databases from those of others.
pub(super) const APPLICATION_ID: i32 = 0x746b_6974;

/// Returns the schema of a database, or `None` if the database is empty.
///
/// # Errors
/// The database belongs to another program, or its schema is older or newer than [`CURRENT`].
pub(super) fn found(connection: &Connection) -> Result<Option<u32>, Failure> {
    let application: i32 = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if tables == 0 {
        return Ok(None);
    }
    if application != APPLICATION_ID {
        return Err(Failure::Unreadable("the file is a database of another program".to_owned()));
    }
    let schema: Option<u32> =
        connection.query_row("SELECT value FROM meta WHERE name = 'schema'", [], |row| row.get(0)).optional()?;
    let found = schema.ok_or_else(|| Failure::Unreadable("the schema version is missing".to_owned()))?;
    if found == CURRENT { Ok(Some(found)) } else { Err(Failure::Schema { found, known: CURRENT }) }
}

/// Creates the tables if the database is empty, in one transaction.
pub(super) fn create_tables(connection: &mut Connection) -> Result<(), Failure> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if found(&transaction)?.is_none() {
        transaction.execute_batch(TABLES)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.execute("INSERT INTO meta VALUES ('schema', ?)", [CURRENT])?;
    }
    transaction.commit()?;
    Ok(())
}
