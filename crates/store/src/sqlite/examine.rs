//! Scans a database for damage of the file and of the values in its rows.

use rusqlite::{Connection, Row};
use turnkit_core::{LogEntry, Message, RawJson, StopReason};

use super::failure::Failure;
use super::grants::{self, grants};
use super::rows::{Stored, from_json, session_columns, turn_id};
use super::session_list::summaries;
use super::turn_list::turns;
use super::wait_list::waits;
use super::{OpenError, SqliteOptions, SqliteStore, key_store, open, schema, session_list, turn_list, wait_list};

/// The maximum number of reported kinds of damage.
const MAX_DAMAGE: usize = 10;

/// The result of the examination of a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Examination {
    /// The schema version. 0 if the database has no tables yet.
    pub schema: u32,
    /// The damage, as reported by SQLite or as the name of an unreadable value. Empty if the database is intact.
    pub damage: Vec<String>,
}

impl SqliteStore {
    /// Scans the whole database, which takes as long as reading the file. The database may be in use meanwhile. Values in
    /// rows of an older schema are read once the database has been opened, which upgrades it.
    ///
    /// # Errors
    /// The database cannot be read at all.
    pub fn examine(options: &SqliteOptions) -> Result<Examination, OpenError> {
        let options = open::resolved(options)?;
        let path = options.path();
        let explain = |failure: Failure| failure.explain(path);
        let connection = open::reader(path)?;
        let schema = schema::found(&connection).map_err(explain)?.unwrap_or(0);
        let mut damage = damage(&connection).map_err(explain)?;
        let rows = if schema == schema::CURRENT { ROWS } else { &[] };
        for (sql, read) in rows {
            unreadable(&connection, sql, *read, &mut damage).map_err(explain)?;
        }
        Ok(Examination { schema, damage })
    }
}

fn damage(connection: &Connection) -> Result<Vec<String>, Failure> {
    let mut check = connection.prepare(&format!("PRAGMA quick_check({MAX_DAMAGE})"))?;
    let mut found: Vec<String> = check.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    found.retain(|word| word != "ok");
    Ok(found)
}

/// Reads a row as the store does, and returns only the failure.
type Read = fn(&Row<'_>) -> Result<(), Failure>;

/// Queries for the rows that contain more than numbers, each with the function that reads them.
const ROWS: &[(&str, Read)] = &[
    (concat!(summaries!(), " WHERE removed = 0"), |row| session_list::read(row).map(drop)),
    (concat!(turns!(), " JOIN sessions s ON s.key = t.session AND s.removed = 0"), |row| {
        turn_list::record(row).map(drop)
    }),
    (
        "SELECT t.id, t.input, t.machine, t.stop, t.owner FROM turns t \
         JOIN sessions s ON s.key = t.session AND s.removed = 0",
        |row| unfinished(row).map_err(|failure| failure.about(|| of_turn(row))),
    ),
    ("SELECT t.id, m.body, m.ord FROM messages m JOIN turns t ON t.key = m.turn", |row| {
        from_json::<Message>(row.get_ref(1)?).map(drop).map_err(|failure| {
            failure.about(|| format!("message {} of {}", row.get::<_, i64>(2).unwrap_or_default(), of_turn(row)))
        })
    }),
    ("SELECT t.id, e.body FROM events e JOIN turns t ON t.key = e.turn", |row| {
        let log = from_json::<Vec<LogEntry>>(row.get_ref(1)?);
        log.map(drop).map_err(|failure| failure.about(|| format!("log of {}", of_turn(row))))
    }),
    (concat!(waits!(), " JOIN turns t ON t.key = w.turn JOIN sessions s ON s.key = t.session"), |row| {
        wait_list::read(row).map(drop).map_err(|failure| failure.about(|| wait_list::name_of(row)))
    }),
    (grants!(), |row| grants::read(row).map(drop).map_err(|failure| failure.about(|| grants::name_of(row)))),
    ("SELECT id, name, tenant, user, sha256, created_at, revoked_at, access, key FROM api_keys", |row| {
        key_store::read(row).map(drop).map_err(|error| {
            Failure::from(error).about(|| format!("API key in row {}", row.get::<_, i64>(8).unwrap_or_default()))
        })
    }),
];

/// Reads the columns that a turn has only until it ends.
fn unfinished(row: &Row<'_>) -> Result<(), Failure> {
    if let Some(input) = row.get::<_, Option<String>>(1)? {
        serde_json::from_str::<Message>(&input)?;
    }
    if let Some(machine) = row.get::<_, Option<String>>(2)? {
        RawJson::parse(&machine)?;
    }
    row.get::<_, Option<Stored<StopReason>>>(3)?;
    row.get::<_, Option<String>>(4)?;
    Ok(())
}

fn of_turn(row: &Row<'_>) -> String {
    turn_id(row, 0).map_or_else(|_| "a turn whose id is damaged".to_owned(), |turn| format!("turn {turn}"))
}

fn unreadable(connection: &Connection, sql: &str, read: Read, damage: &mut Vec<String>) -> Result<(), Failure> {
    let mut select = connection.prepare(sql)?;
    let mut rows = select.query([])?;
    while damage.len() < MAX_DAMAGE
        && let Some(row) = rows.next()?
    {
        match read(row) {
            Ok(()) => {}
            Err(Failure::Unreadable(what)) => damage.push(what),
            Err(failure) => return Err(failure),
        }
    }
    Ok(())
}
