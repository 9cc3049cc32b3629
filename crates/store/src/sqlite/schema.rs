//! The tables of a database, and the check that this version can read them.

use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior};

use super::failure::Failure;

/// The schema that this version writes. An older version refuses it.
pub(super) const CURRENT: u32 = 16;

/// The oldest schema that this version upgrades. Schemas 1 to 13 were never released, so there is no upgrade from them.
pub(super) const OLDEST: u32 = 14;

/// All tables and indexes of [`OLDEST`].
pub(super) const TABLES: &str = include_str!("schema/14.sql");

/// The changes that lead from [`OLDEST`] to [`CURRENT`], each with the schema that it leads to.
const UPGRADES: [(u32, &str); 2] = [(15, include_str!("schema/15.sql")), (16, include_str!("schema/16.sql"))];

/// "tkit": distinguishes this program's databases from those of others.
pub(super) const APPLICATION_ID: i32 = 0x746b_6974;

/// Returns the schema of a database, or `None` if the database is empty.
///
/// # Errors
/// The database belongs to another program, or its schema is older than [`OLDEST`] or newer than [`CURRENT`].
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
    match found {
        OLDEST..=CURRENT => Ok(Some(found)),
        0..OLDEST => Err(Failure::Schema { found, known: OLDEST }),
        _ => Err(Failure::Schema { found, known: CURRENT }),
    }
}

/// Creates the tables if the database is empty, and upgrades those of an older schema, in one transaction.
pub(super) fn create_tables(connection: &mut Connection) -> Result<(), Failure> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = match found(&transaction)? {
        Some(found) => found,
        None => {
            transaction.execute_batch(TABLES)?;
            transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
            transaction.execute("INSERT INTO meta VALUES ('schema', ?)", [OLDEST])?;
            OLDEST
        }
    };
    if found < CURRENT {
        for (_, changes) in UPGRADES.iter().filter(|(schema, _)| *schema > found) {
            transaction.execute_batch(changes)?;
        }
        transaction.execute("UPDATE meta SET value = ? WHERE name = 'schema'", [CURRENT])?;
    }
    transaction.commit()?;
    Ok(())
}
