//! Reading a database through for damage.

use turnkit_core::StoreError;

use super::failure::Failure;
use super::open::reader;
use super::{OpenError, SqliteOptions, SqliteStore};

/// How many kinds of damage are told at most.
const MOST: u32 = 10;

/// What a database looks like from inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Examined {
    /// The version of its schema.
    pub schema: u32,
    /// What is damaged, in SQLite's words; nothing, if it is sound.
    pub damage: Vec<String>,
}

impl SqliteStore {
    /// Reads the whole database through, which takes as long as reading the file. It may be in use meanwhile.
    ///
    /// # Errors
    /// The database cannot be read at all.
    pub fn examine(options: &SqliteOptions) -> Result<Examined, OpenError> {
        let path = options.path();
        let explain = |error: rusqlite::Error| StoreError::from(Failure::from(error).explain(path));
        let connection = reader(path)?;
        let schema = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(explain)?;
        let mut check = connection.prepare(&format!("PRAGMA quick_check({MOST})")).map_err(explain)?;
        let rows = check.query_map([], |row| row.get(0)).map_err(explain)?;
        let mut damage: Vec<String> = rows.collect::<Result<_, _>>().map_err(explain)?;
        damage.retain(|word| word != "ok");
        Ok(Examined { schema, damage })
    }
}
