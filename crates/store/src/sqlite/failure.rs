//! What can go wrong in a job, and what the caller is told.

use std::path::Path;

use rusqlite::ErrorCode;
use turnkit_core::{ConflictKind, StoreError};

/// Why a job failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// A rule of the store forbids it.
    Refused(StoreError),
    /// SQLite failed.
    Sqlite(rusqlite::Error),
    /// A stored value is not what this program writes.
    Unreadable(String),
}

impl Failure {
    pub(super) fn not_found() -> Self {
        Self::Refused(StoreError::NotFound)
    }

    pub(super) fn conflict(kind: ConflictKind) -> Self {
        Self::Refused(StoreError::Conflict(kind))
    }

    /// What the caller is told about a failure in the database at `path`.
    pub(super) fn explain(self, path: &Path) -> StoreError {
        match self {
            Self::Refused(error) => error,
            Self::Unreadable(what) => corrupt(path, &what),
            Self::Sqlite(error) => explain_sqlite(&error, path),
        }
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

/// Damage, where it is, and the way out.
pub(super) fn corrupt(path: &Path, what: &str) -> StoreError {
    StoreError::Corrupt(format!(
        "{}: {what}. Nothing was changed: put a backup in its place, or move the file away to begin with an empty one",
        path.display()
    ))
}

fn explain_sqlite(error: &rusqlite::Error, path: &Path) -> StoreError {
    let at = || format!("{}: {error}", path.display());
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full(path.display().to_string()),
        Some(ErrorCode::ReadOnly) => StoreError::ReadOnly(at()),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => corrupt(path, &error.to_string()),
        None if is_unreadable(error) => corrupt(path, &error.to_string()),
        _ => StoreError::Unavailable(at()),
    }
}

/// A stored value is of another type than the schema says, or a row is gone that must be there.
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
