//! Opens a database. All defects that make it unfit are detected here, before anything is written.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, MAIN_DB, OpenFlags};
use turnkit_core::StoreError;

use super::failure::{Failure, corrupt};
use super::{OpenError, SqliteOptions, Synchronous, deaths, schema};

/// The first SQLite version without the WAL-reset race, which loses committed pages.
const OLDEST_SQLITE: i32 = 3_051_003;
/// A version that its authors withdrew.
const WITHDRAWN_SQLITE: i32 = 3_052_000;

/// The size of the write-ahead log above which it is moved into the database: about 32 MiB.
const AUTOCHECKPOINT_PAGES: i32 = 8000;
/// The capacity of the statement cache, larger than the number of different statements.
const CACHED_STATEMENTS: usize = 128;

/// Resolves the path of the database file.
pub(super) fn resolved(options: &SqliteOptions) -> Result<SqliteOptions, OpenError> {
    let cannot = |error| StoreError::Unavailable(format!("{}: {error}", options.path().display()));
    Ok(options.clone().resolved().map_err(cannot)?)
}

/// Opens the writing connection, to a database with this version's schema.
pub(super) fn writer(options: &SqliteOptions) -> Result<Connection, OpenError> {
    check_version(rusqlite::version_number())?;
    let path = options.path();
    let explain = |failure: Failure| failure.explain(path);
    check_names(path)?;
    check_log_of_empty_file(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = connect(path, flags).map_err(explain)?;
    check_writable(&connection, path)?;
    check_schema(&connection).map_err(explain)?;
    configure(&connection, options.synchronous()).map_err(explain)?;
    schema::create_tables(&mut connection).map_err(explain)?;
    Ok(connection)
}

/// Takes over the turns of the previous process. The caller holds the lock, which proves that process dead.
pub(super) fn take_over(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    deaths::record_predecessor(connection).map_err(|failure| failure.explain(path))
}

/// Opens a read-only connection.
pub(super) fn reader(path: &Path) -> Result<Connection, OpenError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    connect(path, flags).map_err(|failure| failure.explain(path).into())
}

/// Checks that this SQLite version does not lose data.
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

/// SQLite derives the names of the log and its index from the file's name. The file itself is never opened here:
/// closing any descriptor of it would drop the locks that SQLite holds on it in this process.
#[cfg(unix)]
fn check_names(path: &Path) -> Result<(), OpenError> {
    match std::fs::metadata(path).map(|found| std::os::unix::fs::MetadataExt::nlink(&found)) {
        Ok(names) if names > 1 => Err(OpenError::HardLinked { path: path.to_owned(), names }),
        _ => Ok(()),
    }
}

/// The number of links to a file is not available on this platform.
#[cfg(not(unix))]
fn check_names(_: &Path) -> Result<(), OpenError> {
    Ok(())
}

/// SQLite treats an empty file as a new database and discards its log, which may be all that remains of the data.
fn check_log_of_empty_file(path: &Path) -> Result<(), StoreError> {
    let length = |path: &Path| std::fs::metadata(path).map(|found| found.len()).ok();
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    if length(path).is_none_or(|bytes| bytes == 0) && length(Path::new(&log)).is_some_and(|bytes| bytes > 0) {
        return Err(corrupt(path, "the database file is empty or missing, but its -wal file is not"));
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
        return Err(Failure::Refused(StoreError::Unavailable(format!(
            "this file system does not support SQLite's write-ahead log (journal mode {mode})"
        ))));
    }
    connection.pragma_update(None, "synchronous", synchronous)?;
    connection.pragma_update(None, "wal_autocheckpoint", AUTOCHECKPOINT_PAGES)?;
    // Statement journals are kept in memory, not in temporary files.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    Ok(())
}

/// Closing the last connection to a database moves its log into it. A database that is rejected must stay unchanged.
fn check_schema(connection: &Connection) -> Result<(), Failure> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    schema::found(connection)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    Ok(())
}
