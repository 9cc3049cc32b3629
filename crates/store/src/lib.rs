//! SQLite storage for turnkit: sessions, turns, messages and the event log in one file.
//!
//! [`SqliteStore`] implements the storage traits of `turnkit-core`, and therefore
//! [`Store`](turnkit_core::ports::Store). One thread writes and commits all queued jobs together; two threads read. A
//! [`DataDirectory`] ensures that only one process uses the database.
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
//! let list = store.list(&Scope::local(), SessionPage { limit: 20, after: None, archived: None }).await?;
//! assert!(list.sessions.is_empty());
//! # Ok(())
//! # }
//! ```

mod directory;
mod sqlite;

pub use directory::{DataDirectory, LocalServer, LockError};
pub use sqlite::{Examination, OpenError, SqliteOptions, SqliteStore, Synchronous, UrlError};
