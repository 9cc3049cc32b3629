//! Locks a data directory for one process.

use std::fmt;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

/// The file whose lock marks the directory as in use. It contains the server that uses it, as `URL TOKEN` on one line.
const LOCK_FILE: &str = "turnkit.lock";

/// A data directory that is locked by this process until this value is dropped or the process dies.
#[derive(Debug)]
pub struct DataDirectory {
    path: PathBuf,
    lock: File,
}

/// A server that uses a data directory, as announced to other processes of the same user.
#[derive(Clone, PartialEq, Eq)]
pub struct LocalServer {
    /// The URL on which the server listens.
    pub url: String,
    /// The token that authenticates a caller as the operator.
    pub token: String,
}

impl fmt::Debug for LocalServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalServer").field("url", &self.url).finish_non_exhaustive()
    }
}

/// The reason why a data directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process uses the directory.
    #[error("{} is in use by {}", path.display(), server.as_ref().map_or("another process", |server| &server.url))]
    Held {
        /// The directory.
        path: PathBuf,
        /// The server that uses the directory, if the process is a server and has announced itself.
        server: Option<LocalServer>,
    },
    /// The directory cannot be created, or its lock file cannot be opened.
    #[error("cannot use {} as data directory: {source}", path.display())]
    Unusable {
        /// The directory.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
}

impl DataDirectory {
    /// Locks the directory at `path`. If it does not exist, it is created and, on systems with file modes, accessible
    /// only to its user.
    ///
    /// # Errors
    /// [`LockError::Held`] if another process has locked the directory, with the server that this process announced.
    pub fn lock(path: impl Into<PathBuf>) -> Result<Self, LockError> {
        let path = path.into();
        match Self::try_lock(&path) {
            Ok((lock, None)) => Ok(Self { path, lock }),
            Ok((_, Some(content))) => Err(LockError::Held { path, server: server_of(&content) }),
            Err(source) => Err(LockError::Unusable { path, source }),
        }
    }

    /// Returns the path of the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reports whether only its user can access the directory, on systems with file modes. A directory that existed
    /// before may be open to other users.
    pub fn is_private(&self) -> bool {
        #[cfg(unix)]
        let open = std::fs::metadata(&self.path)
            .is_ok_and(|found| std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o077 != 0);
        #[cfg(not(unix))]
        let open = false;
        !open
    }

    /// Returns the last server that was announced for the directory at `path`. Does not check whether that server still
    /// runs.
    pub fn announced_server(path: &Path) -> Option<LocalServer> {
        server_of(&std::fs::read_to_string(path.join(LOCK_FILE)).ok()?)
    }

    /// Announces the server that uses this directory to other processes. On systems with file modes, only processes of
    /// the same user can read it.
    ///
    /// # Errors
    /// The lock file cannot be written.
    pub fn announce(&self, server: &LocalServer) -> io::Result<()> {
        let mut file = &self.lock;
        file.set_len(0)?;
        make_private(file)?;
        file.rewind()?;
        file.write_all(format!("{} {}\n", server.url, server.token).as_bytes())
    }

    /// Opens and locks the lock file. If another process holds the lock, also returns the content of the file.
    fn try_lock(path: &Path) -> io::Result<(File, Option<String>)> {
        private_directory().create(path)?;
        let mut file = private().read(true).write(true).create(true).truncate(false).open(path.join(LOCK_FILE))?;
        match file.try_lock() {
            Ok(()) => {
                file.set_len(0)?;
                Ok((file, None))
            }
            Err(TryLockError::WouldBlock) => {
                let mut content = String::new();
                // On systems where a lock also forbids reading, the server that holds it stays unknown.
                let _ = file.read_to_string(&mut content);
                Ok((file, Some(content)))
            }
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

/// Parses the content of a lock file. A line without an end is still being written.
fn server_of(content: &str) -> Option<LocalServer> {
    let (url, token) = content.strip_suffix('\n')?.split_once(' ')?;
    Some(LocalServer { url: url.to_owned(), token: token.to_owned() })
}

/// Conversations are private to the user that runs the process. The mode of an existing directory is not changed.
pub(crate) fn private_directory() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

#[cfg(unix)]
pub(crate) fn private() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

#[cfg(not(unix))]
pub(crate) fn private() -> OpenOptions {
    OpenOptions::new()
}

/// A file of an earlier version may be readable by all users.
#[cfg(unix)]
fn make_private(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(std::fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
fn make_private(_: &File) -> io::Result<()> {
    Ok(())
}
