//! One process per data directory.

use std::fmt;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

/// The file whose lock means "this directory is in use". It says which server uses it, as `URL TOKEN` on one line.
const LOCK_FILE: &str = "turnkit.lock";

/// A data directory that belongs to this process until this value is dropped, or the process dies.
#[derive(Debug)]
pub struct DataDirectory {
    path: PathBuf,
    lock: File,
}

/// A server that uses a data directory, as it tells other processes of the same user.
#[derive(Clone, PartialEq, Eq)]
pub struct LocalServer {
    /// Where it listens.
    pub url: String,
    /// What makes a caller its operator.
    pub token: String,
}

impl fmt::Debug for LocalServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalServer").field("url", &self.url).finish_non_exhaustive()
    }
}

/// Why a data directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process uses it.
    #[error("{} is in use by {}", path.display(), server.as_ref().map_or("another process", |server| &server.url))]
    Held {
        /// The directory.
        path: PathBuf,
        /// The server that uses it, if it is one and has said so.
        server: Option<LocalServer>,
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
    /// Takes the directory at `path`. If there is none it is made, and where the system knows file modes, only its user can
    /// look into it.
    ///
    /// # Errors
    /// [`LockError::Held`] while another process has it, with the server that process says it is.
    pub fn lock(path: impl Into<PathBuf>) -> Result<Self, LockError> {
        let path = path.into();
        match Self::try_lock(&path) {
            Ok((lock, None)) => Ok(Self { path, lock }),
            Ok((_, Some(said))) => Err(LockError::Held { path, server: server_of(&said) }),
            Err(source) => Err(LockError::Unusable { path, source }),
        }
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether only its user can look into the directory, where the system knows file modes. One that was there before may
    /// be open to others.
    pub fn is_private(&self) -> bool {
        #[cfg(unix)]
        let open = std::fs::metadata(&self.path)
            .is_ok_and(|found| std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o077 != 0);
        #[cfg(not(unix))]
        let open = false;
        !open
    }

    /// The server that last said it uses the directory at `path`. Whether it still does is not looked at.
    pub fn announced(path: &Path) -> Option<LocalServer> {
        server_of(&std::fs::read_to_string(path.join(LOCK_FILE)).ok()?)
    }

    /// Tells other processes which server uses this directory. Where the system knows file modes, only processes of the
    /// same user can read it.
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

    /// The lock file, and what it says if another process has the lock.
    fn try_lock(path: &Path) -> io::Result<(File, Option<String>)> {
        private_directory().create(path)?;
        let mut file = private().read(true).write(true).create(true).truncate(false).open(path.join(LOCK_FILE))?;
        match file.try_lock() {
            Ok(()) => {
                file.set_len(0)?;
                Ok((file, None))
            }
            Err(TryLockError::WouldBlock) => {
                let mut said = String::new();
                // Where a lock also forbids reading, the holder stays nameless.
                let _ = file.read_to_string(&mut said);
                Ok((file, Some(said)))
            }
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

/// What a lock file says. Half a line is one that is being written.
fn server_of(said: &str) -> Option<LocalServer> {
    let (url, token) = said.strip_suffix('\n')?.split_once(' ')?;
    Some(LocalServer { url: url.to_owned(), token: token.to_owned() })
}

/// Conversations are for who runs the process. A directory that is there already is left as it is.
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

/// A file of an earlier version may be open to everyone.
#[cfg(unix)]
fn make_private(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(std::fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
fn make_private(_: &File) -> io::Result<()> {
    Ok(())
}
