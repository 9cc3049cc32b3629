//! Storage of turnkit in one SQLite file: sessions, turns, messages and the log of events.
//!
//! [`SqliteStore`] implements the storage seams of `turnkit-core`, and so is a
//! [`Store`](turnkit_core::ports::Store). One thread
//! writes, and everything that is queued when it looks shares one commit; two threads read. A [`DataDirectory`] sees to
//! it that only one process does so.
//!
//! ```
//! use turnkit_core::Scope;
//! use turnkit_core::ports::{SessionPage, SessionStore};
//! use turnkit_store::{DataDirectory, SqliteOptions, SqliteStore};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! let directory = DataDirectory::lock(folder.path())?;
//! let store = SqliteStore::open(&SqliteOptions::at(directory.path().join("turnkit.db")))?;
//!
//! let list = store.list(&Scope::local(), SessionPage { limit: 20, after: None }).await?;
//! assert!(list.sessions.is_empty());
//! # Ok(())
//! # }
//! ```

mod directory;
mod sqlite;

pub use directory::{DataDirectory, LocalServer, LockError};
pub use sqlite::{Examined, OpenError, SqliteOptions, SqliteStore, Synchronous, UrlError};
