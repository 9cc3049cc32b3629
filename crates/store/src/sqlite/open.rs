//! Opening a database: every way it can be unfit is found here, before anything is written.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, MAIN_DB, OpenFlags};
use turnkit_core::StoreError;

use super::failure::{Failure, corrupt};
use super::{OpenError, SqliteOptions, Synchronous, schema};

/// The first SQLite without the WAL-reset race, which loses committed pages.
const OLDEST_SQLITE: i32 = 3_051_003;
/// Withdrawn by its authors.
const WITHDRAWN_SQLITE: i32 = 3_052_000;

/// How much of the log of writes is kept before it is moved into the database: about 32 MiB.
const AUTOCHECKPOINT_PAGES: i32 = 8000;
/// More than there are different statements.
const CACHED_STATEMENTS: usize = 128;

/// The connection that writes, to a database of this version's schema.
pub(super) fn writer(options: &SqliteOptions) -> Result<Connection, OpenError> {
    check_version(rusqlite::version_number())?;
    let path = options.path();
    let explain = |failure: Failure| failure.explain(path);
    check_log_of_empty_file(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = connect(path, flags).map_err(explain)?;
    check_writable(&connection, path)?;
    schema::found(&connection).map_err(explain)?;
    configure(&connection, options.synchronous()).map_err(explain)?;
    schema::migrate(&mut connection).map_err(explain)?;
    release_turns(&connection).map_err(explain)?;
    Ok(connection)
}

/// A connection that only reads.
pub(super) fn reader(path: &Path) -> Result<Connection, OpenError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    connect(path, flags).map_err(|failure| failure.explain(path).into())
}

/// Whether this SQLite keeps what it was given.
pub(super) fn check_version(linked: i32) -> Result<(), OpenError> {
    let fit = linked >= OLDEST_SQLITE && linked != WITHDRAWN_SQLITE;
    if fit { Ok(()) } else { Err(OpenError::UnsafeSqlite { linked }) }
}

pub(super) fn check_writable(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    match connection.is_readonly(MAIN_DB) {
        Ok(false) => Ok(()),
        Ok(true) => Err(StoreError::ReadOnly(format!("{}: the file may not be written", path.display()))),
        Err(error) => Err(Failure::from(error).explain(path)),
    }
}

/// SQLite takes an empty file for a new database and throws its log away, which may be all that is left of the data.
fn check_log_of_empty_file(path: &Path) -> Result<(), StoreError> {
    let length = |path: &Path| std::fs::metadata(path).map(|found| found.len()).ok();
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    if length(path).is_none_or(|bytes| bytes == 0) && length(Path::new(&log)).is_some_and(|bytes| bytes > 0) {
        return Err(corrupt(path, "the file is empty or gone, its -wal file is not"));
    }
    Ok(())
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, Failure> {
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
    Ok(connection)
}

fn configure(connection: &Connection, synchronous: Synchronous) -> Result<(), Failure> {
    let synchronous = match synchronous {
        Synchronous::Full => "FULL",
        Synchronous::Normal => "NORMAL",
    };
    let mode: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if mode != "wal" {
        return Err(Failure::Refused(StoreError::Unavailable(format!("no write-ahead log here: {mode}"))));
    }
    connection.pragma_update(None, "synchronous", synchronous)?;
    connection.pragma_update(None, "wal_autocheckpoint", AUTOCHECKPOINT_PAGES)?;
    // What a statement can go back to is kept in memory, not in a file of its own.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    Ok(())
}

/// Whoever owned a turn is dead: the data directory is locked, and this process has only begun.
fn release_turns(connection: &Connection) -> Result<(), Failure> {
    connection.execute(
        "UPDATE turns SET owner = NULL WHERE owner IS NOT NULL AND started_at IS NOT NULL AND ended_at IS NULL",
        [],
    )?;
    Ok(())
}
