//! Opening a database: every way it can be unfit is found here, before anything is written.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, MAIN_DB, OpenFlags};
use turnkit_core::StoreError;

use super::failure::{Failure, corrupt};
use super::{OpenError, SqliteOptions, Synchronous, deaths, schema};

/// The first SQLite without the WAL-reset race, which loses committed pages.
const OLDEST_SQLITE: i32 = 3_051_003;
/// Withdrawn by its authors.
const WITHDRAWN_SQLITE: i32 = 3_052_000;

/// How much of the log of writes is kept before it is moved into the database: about 32 MiB.
const AUTOCHECKPOINT_PAGES: i32 = 8000;
/// More than there are different statements.
const CACHED_STATEMENTS: usize = 128;

/// Where the file itself is.
pub(super) fn resolved(options: &SqliteOptions) -> Result<SqliteOptions, OpenError> {
    let cannot = |error| StoreError::Unavailable(format!("{}: {error}", options.path().display()));
    Ok(options.clone().resolved().map_err(cannot)?)
}

/// The connection that writes, to a database of this version's schema.
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

/// Takes over what the process before this one left. The caller holds the lock that proves it dead.
pub(super) fn take_over(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    deaths::record_predecessor(connection).map_err(|failure| failure.explain(path))
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

/// SQLite names the log and its index after the file. The file itself is never opened here: closing any descriptor of it
/// drops the locks that SQLite holds on it in this process.
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

/// Closing the last connection to a database moves its log into it. One that is refused must stay as it is.
fn check_schema(connection: &Connection) -> Result<(), Failure> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    schema::found(connection)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    Ok(())
}
