//! Reading a database through for damage.

use rusqlite::Connection;

use super::failure::Failure;
use super::open::reader;
use super::{OpenError, SqliteOptions, SqliteStore, schema};

/// How many kinds of damage are told at most.
const MOST: u32 = 10;

/// What a database looks like from inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Examined {
    /// The version of its schema.
    pub schema: usize,
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
        let explain = |failure: Failure| failure.explain(path);
        let connection = reader(path)?;
        let schema = schema::found(&connection).map_err(explain)?;
        let damage = damage(&connection).map_err(explain)?;
        Ok(Examined { schema, damage })
    }
}

fn damage(connection: &Connection) -> Result<Vec<String>, Failure> {
    let mut check = connection.prepare(&format!("PRAGMA quick_check({MOST})"))?;
    let mut found: Vec<String> = check.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    found.retain(|word| word != "ok");
    Ok(found)
}
