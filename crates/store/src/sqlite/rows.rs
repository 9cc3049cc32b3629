//! Conversions of rows to the types of `turnkit-core`.

use std::fmt::Display;

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, OptionalExtension as _, Params, Row};
use serde::Serialize;
use serde::de::DeserializeOwned;
use turnkit_core::{
    Anchor, CallState, ClientCaps, Cost, Deaths, History, LogOutline, SamplingParams, Scope, Session, SessionId,
    SessionName, StopReason, StoreError, Timestamp, ToolUse, TraceId, TurnId, TurnKind, TurnState, Usage, WaitKind,
};
use uuid::Uuid;

use super::failure::Failure;

/// The columns of `sessions` that [`StoredSession::read`] reads.
macro_rules! session_columns {
    () => {
        "sessions.key, sessions.id, sessions.name, sessions.agent, sessions.metadata, sessions.fresh, \
         sessions.cache_read, sessions.cache_write, sessions.output, sessions.reasoning, sessions.unmetered_calls, \
         sessions.nano_usd, sessions.unpriced_calls, sessions.turns, sessions.head, sessions.created_at, \
         sessions.last_active_at, sessions.prompt, sessions.params, sessions.tools, sessions.mode"
    };
}
pub(super) use session_columns;

/// The number of columns in [`session_columns`].
pub(super) const SESSION_COLUMNS: usize = 21;

/// The capacity that a JSON text starts with: most texts fit, so they are not moved while they grow.
const USUAL_JSON_BYTES: usize = 1_024;

/// A row of `sessions`.
pub(super) struct StoredSession {
    pub(super) key: i64,
    /// The number of the turn that the next turn continues.
    pub(super) head: Option<u32>,
    pub(super) session: Session,
}

impl StoredSession {
    pub(super) fn read(row: &Row<'_>) -> Result<Self, Failure> {
        Self::read_columns(row).map_err(|failure| failure.about(|| format!("session {}", Self::name_of(row))))
    }

    /// Returns the id of the session in a row, or its key if the id is damaged.
    pub(super) fn name_of(row: &Row<'_>) -> String {
        match (uuid(row, 1), row.get::<_, i64>(0)) {
            (Ok(id), _) => SessionId(id).to_string(),
            (Err(_), key) => format!("in row {}", key.unwrap_or_default()),
        }
    }

    fn read_columns(row: &Row<'_>) -> Result<Self, Failure> {
        let session = Session {
            id: SessionId(uuid(row, 1)?),
            name: session_name(row.get(2)?)?,
            agent: row.get(3)?,
            metadata: from_json(row.get_ref(4)?)?,
            params: params(row.get_ref(18)?)?,
            usage: usage(row, 5)?,
            turns: row.get(13)?,
            created_at: timestamp(row, 15)?,
            last_active: timestamp(row, 16)?,
            history: History::default(),
            open_turn: None,
            prompt: row.get(17)?,
            mode: row.get(20)?,
            tools: row.get::<_, Option<Stored<_>>>(19)?.map(|Stored(tools)| tools).unwrap_or_default(),
            grants: Vec::new(),
        };
        Ok(Self { key: row.get(0)?, head: row.get(14)?, session })
    }

    /// Returns the key of a session without reading other columns.
    pub(super) fn key_of(connection: &Connection, scope: &Scope, id: SessionId) -> Result<i64, Failure> {
        let mut select =
            connection.prepare_cached("SELECT key FROM sessions WHERE id = ? AND tenant = ? AND user = ?")?;
        let owned = (id.0.as_bytes(), &scope.tenant.0, &scope.user.0);
        select.query_row(owned, |row| row.get(0)).optional()?.ok_or_else(Failure::not_found)
    }

    pub(super) fn by_key(connection: &Connection, key: i64) -> Result<Self, Failure> {
        let sql = concat!("SELECT ", session_columns!(), " FROM sessions WHERE key = ?");
        connection.prepare_cached(sql)?.query_row([key], |row| Ok(Self::read(row)))?
    }

    pub(super) fn of_user(connection: &Connection, scope: &Scope, id: SessionId) -> Result<Self, Failure> {
        const SQL: &str =
            concat!("SELECT ", session_columns!(), " FROM sessions WHERE tenant = ? AND user = ? AND id = ?");
        Self::one(connection, SQL, (&scope.tenant.0, &scope.user.0, id.0.as_bytes()))
    }

    /// Finds the session with the id `name`, or else the session with that name.
    pub(super) fn named(connection: &Connection, scope: &Scope, name: &SessionName) -> Result<Self, Failure> {
        if let Ok(id) = name.as_str().parse() {
            match Self::of_user(connection, scope, id) {
                Err(Failure::Refused(StoreError::NotFound)) => {}
                found => return found,
            }
        }
        const SQL: &str =
            concat!("SELECT ", session_columns!(), " FROM sessions WHERE tenant = ? AND user = ? AND name = ?");
        Self::one(connection, SQL, (&scope.tenant.0, &scope.user.0, name.as_str()))
    }

    fn one(connection: &Connection, sql: &str, owner_and_session: impl Params) -> Result<Self, Failure> {
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query(owner_and_session)?;
        rows.next()?.map_or_else(|| Err(Failure::not_found()), Self::read)
    }
}

/// Reads the sampling parameters of a session.
fn params(stored: ValueRef<'_>) -> Result<SamplingParams, Failure> {
    match stored {
        ValueRef::Null => Ok(SamplingParams::default()),
        stored => from_json(stored),
    }
}

/// Parses the client's name for a session.
pub(super) fn session_name(name: Option<String>) -> Result<Option<SessionName>, Failure> {
    name.map(|name| name.parse()).transpose().map_err(unreadable)
}

pub(super) fn uuid(row: &Row<'_>, column: usize) -> Result<Uuid, rusqlite::Error> {
    row.get(column).map(Uuid::from_bytes)
}

pub(super) fn turn_id(row: &Row<'_>, column: usize) -> Result<TurnId, rusqlite::Error> {
    uuid(row, column).map(TurnId)
}

pub(super) fn optional_turn_id(row: &Row<'_>, column: usize) -> Result<Option<TurnId>, rusqlite::Error> {
    Ok(row.get::<_, Option<[u8; 16]>>(column)?.map(|id| TurnId(Uuid::from_bytes(id))))
}

/// Reads what remains of the log of a turn. A damaged value is treated as absent.
pub(super) fn outline(row: &Row<'_>, column: usize) -> Result<Option<Box<LogOutline>>, rusqlite::Error> {
    Ok(row.get_ref(column)?.as_str().ok().and_then(|outline| serde_json::from_str(outline).ok()))
}

/// Reads the size of a request that a provider counted. A damaged value is treated as absent, and sizes are estimated.
pub(super) fn anchor(row: &Row<'_>, column: usize) -> Result<Option<Anchor>, rusqlite::Error> {
    Ok(row.get_ref(column)?.as_str().ok().and_then(|anchor| serde_json::from_str(anchor).ok()))
}

/// Reads the trace of `turn`: that of its caller, or else its own.
pub(super) fn trace(row: &Row<'_>, column: usize, turn: TurnId) -> Result<TraceId, Failure> {
    match row.get::<_, Option<[u8; 16]>>(column)? {
        None => Ok(TraceId::of(turn)),
        Some(bytes) => TraceId::from_bytes(bytes).ok_or_else(|| unreadable("a trace id is zero")),
    }
}

pub(super) fn timestamp(row: &Row<'_>, column: usize) -> Result<Timestamp, rusqlite::Error> {
    row.get(column).map(Timestamp::from_millis)
}

pub(super) fn turn_state(row: &Row<'_>, column: usize) -> Result<TurnState, Failure> {
    let text = row.get_ref(column)?.as_str().map_err(rusqlite::Error::from)?;
    text.parse().map_err(|_| unreadable(format_args!("a turn cannot be {text:?}")))
}

/// Reads the eight columns of a [`Usage`].
pub(super) fn usage(row: &Row<'_>, column: usize) -> Result<Usage, rusqlite::Error> {
    Ok(Usage {
        fresh: sum(row, column)?,
        cache_read: sum(row, column + 1)?,
        cache_write: sum(row, column + 2)?,
        output: sum(row, column + 3)?,
        reasoning: sum(row, column + 4)?,
        unmetered_calls: row.get(column + 5)?,
        cost: Cost { nano_usd: sum(row, column + 6)?, unpriced_calls: row.get(column + 7)? },
        ..Usage::default()
    })
}

pub(super) fn sum(row: &Row<'_>, column: usize) -> Result<u64, rusqlite::Error> {
    let count: i64 = row.get(column)?;
    u64::try_from(count).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, count))
}

/// Returns the number of messages up to the end of a turn: the sum of the columns `first_message` and `messages`. They
/// are not added in SQL, because SQL treats a value that is not a number as 0.
pub(super) fn message_end(row: &Row<'_>, column: usize) -> Result<u32, rusqlite::Error> {
    let (before, own): (u32, u32) = (row.get(column)?, row.get(column + 1)?);
    Ok(before.saturating_add(own))
}

/// Reads the two columns of [`ClientCaps`].
pub(super) fn caps(row: &Row<'_>, column: usize) -> Result<ClientCaps, rusqlite::Error> {
    Ok(ClientCaps { interact: row.get(column)?, resume: row.get(column + 1)? })
}

/// Reads the two columns of [`Deaths`].
pub(super) fn deaths(row: &Row<'_>, column: usize) -> Result<Deaths, rusqlite::Error> {
    Ok(Deaths { count: row.get(column)?, blame: row.get(column + 1)? })
}

/// Parses JSON without copying the text.
pub(super) fn from_json<T: DeserializeOwned>(value: ValueRef<'_>) -> Result<T, Failure> {
    Ok(serde_json::from_str(value.as_str().map_err(rusqlite::Error::from)?)?)
}

/// Serialises to JSON. Called on the caller's thread, not on a thread of the store.
pub(super) fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<String, StoreError> {
    let unwritable = |error: &dyn Display| StoreError::Unavailable(format!("cannot be written as JSON: {error}"));
    let mut json = Vec::with_capacity(USUAL_JSON_BYTES);
    serde_json::to_writer(&mut json, value).map_err(|error| unwritable(&error))?;
    String::from_utf8(json).map_err(|error| unwritable(&error))
}

pub(super) fn unreadable(error: impl std::fmt::Display) -> Failure {
    Failure::Unreadable(error.to_string())
}

/// A value of `turnkit-core` that is stored as a word.
pub(super) trait Word: Copy + PartialEq + 'static {
    const WORDS: &'static [(Self, &'static str)];

    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(value, _)| *value == self).map_or("", |(_, word)| word)
    }
}

impl Word for StopReason {
    const WORDS: &'static [(Self, &'static str)] = &[(Self::Cancelled, "cancelled"), (Self::Superseded, "superseded")];
}

impl Word for ToolUse {
    const WORDS: &'static [(Self, &'static str)] = &[(Self::Auto, "auto"), (Self::None, "none")];
}

impl Word for TurnKind {
    const WORDS: &'static [(Self, &'static str)] =
        &[(Self::Message, "message"), (Self::Compact, "compact"), (Self::Title, "title")];
}

impl Word for WaitKind {
    const WORDS: &'static [(Self, &'static str)] = &[
        (Self::Approval, "approval"),
        (Self::Outcome, "outcome"),
        (Self::Question, "question"),
        (Self::ClientTool, "client_tool"),
        (Self::Child, "child"),
    ];
}

impl Word for CallState {
    const WORDS: &'static [(Self, &'static str)] =
        &[(Self::Started, "started"), (Self::Done, "done"), (Self::Failed, "failed"), (Self::Unknown, "unknown")];
}

/// A stored [`Word`].
pub(super) struct Stored<W>(pub(super) W);

impl<W: Word> FromSql for Stored<W> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let text = value.as_str()?;
        let found = W::WORDS.iter().find(|(_, word)| *word == text);
        found.map(|(value, _)| Self(*value)).ok_or(FromSqlError::InvalidType)
    }
}
