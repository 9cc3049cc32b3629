//! One process per data directory.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

/// The file whose lock means "this directory is in use". It holds the URL of the server that uses it.
const LOCK_FILE: &str = "turnkit.lock";

/// A data directory that belongs to this process until this value is dropped, or the process dies.
#[derive(Debug)]
pub struct DataDirectory {
    path: PathBuf,
    lock: File,
}

/// Why a data directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process uses it.
    #[error("{} is in use by {}", path.display(), url.as_deref().unwrap_or("another process"))]
    Held {
        /// The directory.
        path: PathBuf,
        /// Where the server that uses it listens, if it is a server and has said so.
        url: Option<String>,
    },
    /// It cannot be made, or its lock file cannot be opened.
    #[error("cannot use {} as data directory: {source}", path.display())]
    Unusable {
        /// The directory.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl DataDirectory {
    /// Takes the directory at `path`, which is made if there is none.
    ///
    /// # Errors
    /// [`LockError::Held`] while another process has it, with the URL that process has written.
    pub fn lock(path: impl Into<PathBuf>) -> Result<Self, LockError> {
        let path = path.into();
        match Self::try_lock(&path) {
            Ok((lock, None)) => Ok(Self { path, lock }),
            Ok((_, Some(said))) => Err(LockError::Held { path, url: Some(said).filter(|url| !url.is_empty()) }),
            Err(source) => Err(LockError::Unusable { path, source }),
        }
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Tells other processes where the server that uses this directory listens.
    ///
    /// # Errors
    /// The lock file cannot be written.
    pub fn write_url(&self, url: &str) -> io::Result<()> {
        let mut file = &self.lock;
        file.set_len(0)?;
        file.rewind()?;
        file.write_all(url.as_bytes())
    }

    /// The lock file, and what it says if another process has the lock.
    fn try_lock(path: &Path) -> io::Result<(File, Option<String>)> {
        std::fs::create_dir_all(path)?;
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path.join(LOCK_FILE))?;
        match file.try_lock() {
            Ok(()) => {
                file.set_len(0)?;
                Ok((file, None))
            }
            Err(TryLockError::WouldBlock) => {
                let mut said = String::new();
                // Where a lock also forbids reading, the holder stays nameless.
                let _ = file.read_to_string(&mut said);
                Ok((file, Some(said.trim().to_owned())))
            }
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}
