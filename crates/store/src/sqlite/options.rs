//! Where the database is and how it is written.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::{fs, io};

/// How many symbolic links are followed, as many as the system would.
const MOST_LINKS: usize = 40;

/// What a [`SqliteStore`](super::SqliteStore) is opened with. Its text form is a store URL.
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

/// When a commit is durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Synchronous {
    /// Against loss of power: each commit waits for the disk.
    #[default]
    Full,
    /// Against the death of the process only: a loss of power may take the last commits back.
    Normal,
}

/// A store URL that does not say where the database is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the URL of the database cannot be used: {why}; expected sqlite:PATH or sqlite:PATH?synchronous=full|normal")]
pub struct UrlError {
    /// The text.
    pub url: String,
    /// What is wrong with it.
    pub why: &'static str,
}

impl SqliteOptions {
    /// The database at `path`, durable against loss of power.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), synchronous: Synchronous::default() }
    }

    /// The same database with other durability.
    #[must_use]
    pub fn with_synchronous(mut self, synchronous: Synchronous) -> Self {
        self.synchronous = synchronous;
        self
    }

    /// The same options with a relative path taken from `folder`.
    #[must_use]
    pub fn relative_to(mut self, folder: &Path) -> Self {
        self.path = folder.join(self.path);
        self
    }

    /// The same options with the path of the file itself where it leads through symbolic links, so that the data directory
    /// is locked where the file is. SQLite keeps its log there too.
    ///
    /// # Errors
    /// A link cannot be read, or they lead round in a circle.
    pub fn resolved(mut self) -> io::Result<Self> {
        for _ in 0..MOST_LINKS {
            let is_link = match fs::symlink_metadata(&self.path) {
                Ok(found) => found.is_symlink(),
                // One that is not there yet is made at the end of the links that were followed.
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

    /// The database file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// When a commit is durable.
    pub fn synchronous(&self) -> Synchronous {
        self.synchronous
    }
}

impl FromStr for SqliteOptions {
    type Err = UrlError;

    fn from_str(url: &str) -> Result<Self, UrlError> {
        let error = |why| UrlError { url: url.to_owned(), why };
        let rest = url.strip_prefix("sqlite:").ok_or_else(|| error("it does not begin with sqlite:"))?;
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        if path.is_empty() || path.starts_with(":memory:") {
            return Err(error("it names no file"));
        }
        let mut options = Self::at(path);
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            options.synchronous = match pair.split_once('=') {
                Some(("synchronous", "full")) => Synchronous::Full,
                Some(("synchronous", "normal")) => Synchronous::Normal,
                Some(("synchronous", _)) => return Err(error("synchronous is neither full nor normal")),
                _ => return Err(error("it has an unknown parameter")),
            };
        }
        Ok(options)
    }
}
