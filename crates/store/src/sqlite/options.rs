//! The location of the database, and its durability.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::{fs, io};

/// The maximum number of symbolic links to follow, equal to the system's limit.
const MAX_LINKS: usize = 40;

/// The options of a [`SqliteStore`](super::SqliteStore). Their text form is a store URL.
///
/// ```
/// use turnkit_store::{SqliteOptions, Synchronous};
///
/// let options: SqliteOptions = "sqlite:data/turnkit.db?synchronous=normal".parse()?;
/// assert_eq!(options.path().to_str(), Some("data/turnkit.db"));
/// assert_eq!(options.synchronous(), Synchronous::Normal);
/// # Ok::<(), turnkit_store::UrlError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqliteOptions {
    path: PathBuf,
    synchronous: Synchronous,
}

/// The durability of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Synchronous {
    /// Survives a loss of power: each commit waits for the disk.
    #[default]
    Full,
    /// Survives the death of the process, but a loss of power may lose the last commits.
    Normal,
}

/// The error for an invalid store URL.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the URL of the database cannot be used: {reason}; expected sqlite:PATH or sqlite:PATH?synchronous=full|normal"
)]
pub struct UrlError {
    /// The text of the URL.
    pub url: String,
    /// The reason why it is invalid.
    pub reason: &'static str,
}

impl SqliteOptions {
    /// Creates options for the database at `path`, durable against loss of power.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), synchronous: Synchronous::default() }
    }

    /// Sets the durability of commits.
    #[must_use]
    pub fn with_synchronous(mut self, synchronous: Synchronous) -> Self {
        self.synchronous = synchronous;
        self
    }

    /// Resolves a relative path against `folder`.
    #[must_use]
    pub fn relative_to(mut self, folder: &Path) -> Self {
        self.path = folder.join(self.path);
        self
    }

    /// Resolves symbolic links in the path of the database file, so that the data directory is locked where the file
    /// is. SQLite keeps its log there too.
    ///
    /// # Errors
    /// A link cannot be read, or the links form a cycle.
    pub fn resolved(mut self) -> io::Result<Self> {
        for _ in 0..MAX_LINKS {
            let is_link = match fs::symlink_metadata(&self.path) {
                Ok(found) => found.is_symlink(),
                // A file that does not exist yet is created at the end of the followed links.
                Err(error) if error.kind() == io::ErrorKind::NotFound => false,
                Err(error) => return Err(error),
            };
            if !is_link {
                return Ok(self);
            }
            let target = fs::read_link(&self.path)?;
            self.path = self.path.parent().map_or_else(|| target.clone(), |folder| folder.join(&target));
        }
        Err(io::Error::other("too many symbolic links"))
    }

    /// Returns the path of the database file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the durability of commits.
    pub fn synchronous(&self) -> Synchronous {
        self.synchronous
    }
}

impl FromStr for SqliteOptions {
    type Err = UrlError;

    fn from_str(url: &str) -> Result<Self, UrlError> {
        let error = |reason| UrlError { url: url.to_owned(), reason };
        let rest = url.strip_prefix("sqlite:").ok_or_else(|| error("must begin with sqlite:"))?;
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        if path.is_empty() || path.starts_with(":memory:") {
            return Err(error("must name a file"));
        }
        let mut options = Self::at(path);
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            options.synchronous = match pair.split_once('=') {
                Some(("synchronous", "full")) => Synchronous::Full,
                Some(("synchronous", "normal")) => Synchronous::Normal,
                Some(("synchronous", _)) => return Err(error("synchronous is neither full nor normal")),
                _ => return Err(error("unknown parameter")),
            };
        }
        Ok(options)
    }
}
