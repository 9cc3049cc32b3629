//! Which tables a database has, and how it gets those of this version.

use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior};
use turnkit_core::StoreError;

use super::failure::Failure;

/// What brings a database from one schema to the next. Released ones never change; what a new one changes is changed in
/// [`NEW`] too.
const MIGRATIONS: &[&str] = &[
    include_str!("schema/1.sql"),
    include_str!("schema/2.sql"),
    include_str!("schema/3.sql"),
    include_str!("schema/4.sql"),
    include_str!("schema/5.sql"),
    include_str!("schema/6.sql"),
    include_str!("schema/7.sql"),
];

/// All tables at once. A new database has them in a tenth of the time that it takes to make them one change after the other.
const NEW: &str = include_str!("schema/new.sql");

/// "tkit": tells a database of ours from another program's.
const APPLICATION_ID: i32 = 0x746b_6974;

/// The schema of a database; 0 if it is empty.
///
/// # Errors
/// It is another program's, or that of a newer version of this one.
pub(super) fn found(connection: &Connection) -> Result<usize, Failure> {
    let application: i32 = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if tables == 0 {
        return Ok(0);
    }
    if application != APPLICATION_ID {
        return Err(Failure::Unreadable("it is a database of another program".to_owned()));
    }
    let schema: Option<u32> =
        connection.query_row("SELECT value FROM meta WHERE name = 'schema'", [], |row| row.get(0)).optional()?;
    let found = schema.ok_or_else(|| Failure::Unreadable("it does not say which schema it has".to_owned()))?;
    let known = u32::try_from(MIGRATIONS.len()).unwrap_or(u32::MAX);
    if found > known {
        return Err(Failure::Refused(StoreError::NewerSchema { found, known }));
    }
    Ok(found as usize)
}

/// Brings the database to the schema of this version, in one transaction.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), Failure> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let from = found(&transaction)?;
    let scripts = if from == 0 { &[NEW] } else { MIGRATIONS.get(from..).unwrap_or_default() };
    for script in scripts {
        transaction.execute_batch(script)?;
    }
    if from < MIGRATIONS.len() {
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.execute("INSERT OR REPLACE INTO meta VALUES ('schema', ?)", [MIGRATIONS.len() as i64])?;
    }
    transaction.commit()?;
    Ok(())
}
