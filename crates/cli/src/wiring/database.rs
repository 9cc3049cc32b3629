//! The database of an installation: its location and its store.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use turnkit_core::ports::Store;
use turnkit_store::{Examination, OpenError, SqliteOptions, SqliteStore, UrlError};

use crate::config::{DATABASE, Resolved};
use crate::failure::Failure;

/// A database that another process may have opened. The scheme of `store.url` selects its store.
pub(crate) struct Database {
    options: SqliteOptions,
    /// Whether only its folder was named, with `--data`.
    is_by_folder: bool,
}

impl Database {
    /// Returns the database in `data`, or else at the configured location.
    pub(crate) fn from_config(resolved: &Resolved, data: Option<&Path>) -> Result<Self, Failure> {
        if let Some(directory) = data {
            let database = Self::resolve(SqliteOptions::at(directory.join(DATABASE)))?;
            return Ok(Self { is_by_folder: true, ..database });
        }
        let Some(url) = &resolved.config.store.url else {
            let homeless = || {
                Failure::Data("you have no home directory to keep data in: choose a directory with --data".to_owned())
            };
            let directory = resolved.data.as_ref().ok_or_else(homeless)?;
            return Self::resolve(SqliteOptions::at(directory.join(DATABASE)));
        };
        let options = of_url(url).map_err(|problem| resolved.source.complaint("store.url", problem.to_string()))?;
        Self::resolve(options.relative_to(&resolved.folder))
    }

    /// Opens the store, and creates it if it does not exist. The caller holds the lock of the
    /// [`directory`](Self::directory).
    pub(super) fn open(&self) -> Result<Arc<dyn Store>, Failure> {
        let store = SqliteStore::open(&self.options).map_err(|error| Failure::Data(error.to_string()))?;
        Ok(Arc::new(store))
    }

    /// Returns the path of the database file.
    pub(crate) fn path(&self) -> &Path {
        self.options.path()
    }

    /// Returns the data directory, which may not exist.
    pub(super) fn directory(&self) -> PathBuf {
        match self.path().parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        }
    }

    pub(super) fn exists(&self) -> Result<bool, Failure> {
        let path = self.path();
        path.try_exists().map_err(|error| {
            Failure::Data(format!("cannot look for {}: {error}; choose another directory with --data", path.display()))
        })
    }

    /// Returns the database that the folder has under another name, if it has none under the usual one: that of a
    /// program with its own settings, or of a configuration that was not loaded. A database beside it would be one that
    /// nothing else uses.
    pub(super) fn other_in_folder(&self) -> Result<Option<PathBuf>, Failure> {
        if !self.is_by_folder || self.exists()? {
            return Ok(None);
        }
        Ok(SqliteStore::find(&self.directory()))
    }

    /// Checks that no database is created beside [another one](Self::other_in_folder).
    pub(super) fn check_folder(&self) -> Result<(), Failure> {
        let Some(other) = self.other_in_folder()? else { return Ok(()) };
        let (folder, other) = (self.directory(), std::path::absolute(&other).unwrap_or(other));
        Err(Failure::Data(format!(
            "{} has no {DATABASE}, but {}: leave out --data and set TURNKIT_STORE__URL=sqlite:{}",
            folder.display(),
            other.file_name().unwrap_or_default().display(),
            other.display(),
        )))
    }

    /// Checks the whole database for damage, even while it is in use.
    pub(crate) fn examine(&self) -> Result<Examination, OpenError> {
        SqliteStore::examine(&self.options)
    }

    /// Resolves links in the path, so that the database has the same lock under every path that leads to it.
    fn resolve(options: SqliteOptions) -> Result<Self, Failure> {
        let path = options.path().display().to_string();
        let options = options.resolved();
        options.map(|options| Self { options, is_by_folder: false }).map_err(|error| {
            Failure::Data(format!("cannot look for {path}: {error}; choose another directory with --data"))
        })
    }
}

/// The reason why `store.url` does not name a store. The URL may contain a password, so messages repeat only its
/// scheme.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum StoreUrlError {
    #[error("store.url begins with {0}:, and this build has no such store; expected {EXPECTED}")]
    UnknownScheme(String),
    #[error("store.url: {0}; expected {EXPECTED}")]
    Malformed(&'static str),
}

const EXPECTED: &str = "sqlite:PATH or sqlite:PATH?synchronous=full|normal";

/// Selects the store by the scheme of its URL.
fn of_url(url: &str) -> Result<SqliteOptions, StoreUrlError> {
    match scheme(url) {
        Some("sqlite") | None => url.parse().map_err(|UrlError { reason, .. }| StoreUrlError::Malformed(reason)),
        Some(other) => Err(StoreUrlError::UnknownScheme(other.to_owned())),
    }
}

/// Returns the scheme of a URL. A single letter is the drive of a Windows path, not a scheme.
fn scheme(url: &str) -> Option<&str> {
    let (scheme, _) = url.split_once(':')?;
    let is_scheme =
        scheme.len() > 1 && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme.then_some(scheme)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scheme_of_the_url_chooses_the_store() {
        assert_eq!(of_url("sqlite:data/turnkit.db").unwrap().path(), Path::new("data/turnkit.db"));
        for (url, problem) in [
            ("postgres://ada:secret@host/db", "store.url begins with postgres:, and this build has no such store"),
            ("redis+tls://host", "store.url begins with redis+tls:, and this build has no such store"),
            ("data/turnkit.db", "store.url: must begin with sqlite:"),
            (r"C:\turnkit.db", "store.url: must begin with sqlite:"),
            ("sqlite:", "store.url: must name a file"),
        ] {
            let error = of_url(url).unwrap_err().to_string();
            assert_eq!(error, format!("{problem}; expected {EXPECTED}"), "{url}");
        }
    }
}
