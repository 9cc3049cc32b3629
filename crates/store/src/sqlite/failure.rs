//! The failures of a job, and the errors returned to the caller.

use std::io::{self, ErrorKind};
use std::path::Path;

use rusqlite::{ErrorCode, ffi};
use turnkit_core::{ConflictKind, StoreError};

/// The reason why a job failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// A rule of the store forbids the job.
    Refused(StoreError),
    /// SQLite failed.
    Sqlite(rusqlite::Error),
    /// The database has the schema `found`, but this version supports `known`.
    Schema { found: u32, known: u32 },
    /// A stored value has a form that this program does not write.
    Unreadable(String),
}

impl Failure {
    pub(super) fn not_found() -> Self {
        Self::Refused(StoreError::NotFound)
    }

    pub(super) fn conflict(kind: ConflictKind) -> Self {
        Self::Refused(StoreError::Conflict(kind))
    }

    /// Returns the error for the caller about a failure in the database at `path`.
    pub(super) fn explain(self, path: &Path) -> StoreError {
        match self {
            Self::Refused(error) => error,
            Self::Schema { found, known } => another_schema(found, known, path),
            Self::Unreadable(what) => corrupt(path, &what),
            Self::Sqlite(error) => explain_sqlite(&error, path),
        }
    }
}

impl Failure {
    /// Reports whether a stored value has a form that this program does not write.
    pub(super) fn is_damage(&self) -> bool {
        match self {
            Self::Refused(_) | Self::Schema { .. } => false,
            Self::Unreadable(_) => true,
            Self::Sqlite(error) => error.sqlite_error_code().is_none() && is_unreadable(error),
        }
    }

    /// Reports whether the search index, the only virtual table, is damaged: SQLite reports it, or an insert conflicts
    /// with rows that should not exist. Jobs of the search cannot violate any other constraint.
    pub(super) fn is_damaged_index(&self) -> bool {
        let Self::Sqlite(error) = self else { return false };
        error.sqlite_error().is_some_and(|error| {
            error.extended_code == ffi::SQLITE_CORRUPT_VTAB || error.code == ErrorCode::ConstraintViolation
        })
    }

    /// Adds the name of the damaged item to a failure that is about damage.
    pub(super) fn about(self, what: impl FnOnce() -> String) -> Self {
        match self {
            Self::Unreadable(why) => Self::Unreadable(format!("{}: {why}", what())),
            Self::Sqlite(error) if error.sqlite_error_code().is_none() && is_unreadable(&error) => {
                Self::Unreadable(format!("{}: {error}", what()))
            }
            other => other,
        }
    }

    /// Reports whether the database itself could not be written, regardless of the data.
    pub(super) fn is_write_failure(&self) -> bool {
        let Self::Sqlite(error) = self else { return false };
        matches!(
            error.sqlite_error_code(),
            Some(
                ErrorCode::DiskFull
                    | ErrorCode::SystemIoFailure
                    | ErrorCode::ReadOnly
                    | ErrorCode::CannotOpen
                    | ErrorCode::PermissionDenied
                    | ErrorCode::DatabaseBusy
                    | ErrorCode::DatabaseLocked
                    | ErrorCode::FileLockingProtocolFailed
                    | ErrorCode::OutOfMemory
                    | ErrorCode::DatabaseCorrupt
                    | ErrorCode::NotADatabase
            )
        )
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::Unreadable(error.to_string())
    }
}

/// Returns the error for a schema that this version does not support, with the remedy.
fn another_schema(found: u32, known: u32, path: &Path) -> StoreError {
    let path = path.display().to_string();
    if found < known {
        StoreError::OlderSchema { path, found, oldest: known }
    } else {
        StoreError::NewerSchema { path, found, known }
    }
}

/// Returns the error for damage, with its location and the remedy.
pub(super) fn corrupt(path: &Path, what: &str) -> StoreError {
    StoreError::Corrupt(format!(
        "{}: {what}. Nothing was changed: put a backup in its place, or move the file away to begin with an empty one",
        path.display()
    ))
}

fn explain_sqlite(error: &rusqlite::Error, path: &Path) -> StoreError {
    let at = || format!("{}: {error}", path.display());
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => full(path),
        Some(ErrorCode::SystemIoFailure) if is_out_of_room(error) => full(path),
        Some(ErrorCode::ReadOnly) => StoreError::ReadOnly(at()),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => corrupt(path, &error.to_string()),
        None if is_unreadable(error) => corrupt(path, &error.to_string()),
        _ => StoreError::Unavailable(at()),
    }
}

/// SQLite reports only a disk without space as full. An exhausted quota and a file that reached its size limit appear
/// as writes that the system refused. Other disk faults are found by the sync.
fn is_out_of_room(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    matches!(code, Some(ffi::SQLITE_IOERR_WRITE | ffi::SQLITE_IOERR_SHMSIZE))
}

/// Returns the error for the caller about a failure with the file at `path`.
pub(super) fn explain_io(error: &io::Error, path: &Path) -> StoreError {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => full(path),
        ErrorKind::ReadOnlyFilesystem => StoreError::ReadOnly(format!("{}: {error}", path.display())),
        _ => StoreError::Unavailable(format!("{}: {error}", path.display())),
    }
}

fn full(path: &Path) -> StoreError {
    let limit = file_size_limit().map_or_else(String::new, |bytes| {
        format!(" (this process may write files of at most {bytes} bytes: `ulimit -f`)")
    });
    StoreError::Full(format!("{}{limit}", path.display()))
}

#[cfg(unix)]
fn file_size_limit() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Fsize).current
}

/// Other systems have no such limit.
#[cfg(not(unix))]
fn file_size_limit() -> Option<u64> {
    None
}

/// Reports whether a stored value has another type than in the schema, or a required row is missing.
fn is_unreadable(error: &rusqlite::Error) -> bool {
    matches!(
        error,
        rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::QueryReturnedNoRows
            | rusqlite::Error::Utf8Error(..)
    )
}
