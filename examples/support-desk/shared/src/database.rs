//! The SQLite database of a server.

use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use rusqlite::Connection;

use crate::toolbox::ToolFailure;

/// A SQLite database with initial data.
///
/// Tools use it one after the other. Their statements take microseconds, so they run on the thread of the request.
pub struct Database {
    connection: Mutex<Connection>,
}

impl Database {
    /// Opens the database `file` in `folder`. If it is new, `content` creates its tables and rows.
    pub fn open(folder: &Path, file: &str, content: &str) -> anyhow::Result<Self> {
        fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
        let path = folder.join(file);
        let database = Connection::open(&path).map_err(anyhow::Error::from);
        let database = database.and_then(|connection| Self::fill(connection, content));
        database.with_context(|| format!("cannot open the database {}", path.display()))
    }

    fn fill(connection: Connection, content: &str) -> anyhow::Result<Self> {
        let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if version == 0 {
            connection.execute_batch(&format!("BEGIN;\n{content}\nPRAGMA user_version = 1;\nCOMMIT;"))?;
        }
        Ok(Self { connection: Mutex::new(connection) })
    }

    /// Runs statements while no other tool uses the database.
    pub fn with<T>(&self, work: impl FnOnce(&Connection) -> Result<T, ToolFailure>) -> Result<T, ToolFailure> {
        // A statement that panicked has left no transaction open, so the connection is still usable.
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        work(&connection)
    }
}
