//! Reads turns: the state that their owners need, and their logs.

use rusqlite::{Connection, ErrorCode, OptionalExtension as _, Row};
use turnkit_core::{
    Anchor, CallRecord, CallUid, Chunk, Claim, ClientCaps, Entry, Fence, History, LoggedTurn, RawJson, Scope,
    SessionId, StoreError, StoredTurn, TurnId, TurnView, replay,
};

use super::failure::Failure;
use super::messages;
use super::partials;
use super::rows::{Stored, anchor, caps, from_json, unreadable, uuid};
use super::waits;

/// A turn's location, and the values in its own row.
struct TurnRow {
    key: i64,
    session: i64,
    session_id: SessionId,
    number: u32,
    after: Option<u32>,
    /// The number of its messages.
    messages: u32,
    input: Option<String>,
    machine: Option<String>,
    caps: ClientCaps,
    /// Whether there may be saves of incomplete answers.
    has_partials: bool,
    /// Whether its calls have or had waits.
    has_waits: bool,
    /// Whether a steering message for it was queued.
    is_steered: bool,
    anchor: Option<Anchor>,
}

/// Returns the state that the owner needs to continue the turn.
pub(super) fn load(connection: &Connection, claim: &Claim) -> Result<StoredTurn, Failure> {
    let found = TurnRow::claimed(connection, claim)?;
    let machine = found.machine.as_deref().map(RawJson::parse).transpose()?;
    let calls = calls(connection, found.key, claim.turn())?;
    let partials = if found.has_partials { partials::of_turn(connection, found.key)? } else { Vec::new() };
    let anchor = found.anchor.clone();
    let decided = if found.has_waits { waits::decided(connection, found.key, claim.turn())? } else { Vec::new() };
    let is_steered = found.is_steered;
    let log = found.log(connection, claim.turn())?;
    Ok(StoredTurn { machine, calls, log, partials, anchor, decided, is_steered })
}

/// Returns the messages before the turn's own that are sent to the model.
pub(super) fn history(connection: &Connection, claim: &Claim) -> Result<History, Failure> {
    let found = TurnRow::claimed(connection, claim)?;
    messages::history(connection, found.session, found.after)
}

/// Returns the log, if it has not been deleted.
pub(super) fn log(connection: &Connection, scope: &Scope, turn: TurnId) -> Result<LoggedTurn, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT t.key, t.session, s.id, t.number, t.after, t.messages, t.input, t.machine, t.interact, t.resume, t.anchor, \
         0, 0, 0 FROM turns t \
         JOIN sessions s ON s.key = t.session WHERE t.id = ? AND s.tenant = ? AND s.user = ?",
    )?;
    let found = select.query_row((turn.0.as_bytes(), &scope.tenant.0, &scope.user.0), TurnRow::read).optional()?;
    let logged = found.ok_or_else(Failure::not_found)?.log(connection, turn)?;
    if logged.chunks.is_empty() { Err(Failure::not_found()) } else { Ok(logged) }
}

/// Returns what is to be kept of the log of an ended turn once the log is deleted. Of a damaged log nothing is kept.
pub(super) fn outline(connection: &Connection, turn: i64) -> Result<Option<String>, Failure> {
    match of_key(connection, turn) {
        Ok(logged) => Ok(logged.and_then(|logged| TurnView::of(&replay(&logged, 0)).outline().to_json())),
        Err(failure) if failure.is_damage() => Ok(None),
        // The log is deleted nevertheless, as if it had never been read.
        Err(Failure::Sqlite(error)) if error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) => Ok(None),
        Err(failure) => Err(failure),
    }
}

fn of_key(connection: &Connection, turn: i64) -> Result<Option<LoggedTurn>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT t.key, t.session, s.id, t.number, t.after, t.messages, t.input, t.machine, t.interact, t.resume, t.anchor, \
         0, 0, 0, t.id FROM turns t JOIN sessions s ON s.key = t.session WHERE t.key = ?",
    )?;
    let found = select.query_row([turn], |row| Ok((TurnRow::read(row)?, TurnId(uuid(row, 14)?)))).optional()?;
    found.map(|(found, id)| found.log(connection, id)).transpose()
}

impl TurnRow {
    fn read(row: &Row<'_>) -> Result<Self, rusqlite::Error> {
        Ok(Self {
            key: row.get(0)?,
            session: row.get(1)?,
            session_id: SessionId(uuid(row, 2)?),
            number: row.get(3)?,
            after: row.get(4)?,
            messages: row.get(5)?,
            input: row.get(6)?,
            machine: row.get(7)?,
            caps: caps(row, 8)?,
            anchor: anchor(row, 10)?,
            has_partials: row.get(11)?,
            has_waits: row.get(12)?,
            is_steered: row.get(13)?,
        })
    }

    /// Finds the turn of a claim that is still valid.
    fn claimed(connection: &Connection, claim: &Claim) -> Result<Self, Failure> {
        let mut select = connection.prepare_cached(
            "SELECT t.key, t.session, s.id, t.number, t.after, t.messages, t.input, t.machine, t.interact, t.resume, t.anchor, \
             EXISTS (SELECT 1 FROM partials p WHERE p.turn = t.key), EXISTS (SELECT 1 FROM waits w WHERE w.turn = t.key), \
             t.steered \
             FROM turns t \
             JOIN sessions s ON s.key = t.session WHERE t.id = ? AND t.fence = ? AND t.owner = ? \
             AND s.removed = 0",
        )?;
        let turn = claim.turn();
        let owned = (turn.0.as_bytes(), claim.fence().0, &claim.worker().0);
        let found = select.query_row(owned, Self::read).optional()?;
        found.ok_or(Failure::Refused(StoreError::Fenced))
    }

    fn log(self, connection: &Connection, turn: TurnId) -> Result<LoggedTurn, Failure> {
        let mut messages = Vec::new();
        if let Some(input) = &self.input {
            messages.push(Entry::new(serde_json::from_str(input)?));
        }
        messages::of_turn(connection, self.key, self.messages, |message| messages.push(Entry::new(message)))?;
        let chunks = chunks(connection, self.key)?;
        Ok(LoggedTurn { session: self.session_id, turn, number: self.number, caps: self.caps, messages, chunks })
    }
}

/// Returns the log of the turn with this key; empty if it has been deleted.
pub(super) fn chunks(connection: &Connection, turn: i64) -> Result<Vec<Chunk>, Failure> {
    let mut select = connection
        .prepare_cached("SELECT from_seq, to_seq, fence, body FROM events WHERE turn = ? ORDER BY from_seq")?;
    let mut rows = select.query([turn])?;
    let mut chunks = Vec::new();
    while let Some(row) = rows.next()? {
        chunks.push(Chunk {
            from_seq: row.get(0)?,
            to_seq: row.get(1)?,
            fence: Fence(row.get(2)?),
            entries: from_json(row.get_ref(3)?)?,
        });
    }
    Ok(chunks)
}

fn calls(connection: &Connection, key: i64, turn: TurnId) -> Result<Vec<CallRecord>, Failure> {
    let mut select = connection
        .prepare_cached("SELECT step, ordinal, name, state FROM tool_calls WHERE turn = ? ORDER BY step, ordinal")?;
    let calls = select.query_map([key], |row| {
        let Stored(state) = row.get(3)?;
        let uid = CallUid { turn, step: row.get(0)?, ordinal: row.get(1)? };
        Ok(CallRecord { uid, name: row.get(2)?, state })
    })?;
    calls.collect::<Result<_, _>>().map_err(unreadable)
}
