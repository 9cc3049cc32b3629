//! The current state of a session: its head, its queue and its unfinished turns.

use rusqlite::{Connection, OptionalExtension as _};
use turnkit_core::ports::{SessionState, UnfinishedTurns};
use turnkit_core::{QueuedTurn, Scope, SessionId, TurnId};

use super::failure::Failure;
use super::rows::{StoredSession, from_json, turn_id};
use super::session_list;
use super::session_list::Summary;

/// Returns the state of a session. It is consistent if the connection is in a transaction.
pub(super) fn state(connection: &Connection, scope: &Scope, session: SessionId) -> Result<SessionState, Failure> {
    let Summary { key, head, session } = session_list::summary(connection, scope, session)?;
    let end = head.map(|number| BegunTurn::numbered(connection, key, number)).transpose()?;
    let head = end.as_ref().map(|end| (end.id, end.number));
    let active = end.filter(|end| end.active).and(head);
    let last_begun = last_begun(connection, key)?;
    Ok(SessionState { session, active, last_begun, head, queue: queue(connection, key)? })
}

/// Returns the turn with the highest number among those that have begun.
fn last_begun(connection: &Connection, session: i64) -> Result<Option<(TurnId, u32)>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT id, number FROM turns WHERE session = ? AND started_at IS NOT NULL ORDER BY number DESC LIMIT 1",
    )?;
    Ok(select.query_row([session], |row| Ok((turn_id(row, 0)?, row.get(1)?))).optional()?)
}

/// Returns the queued turns, the next one first.
pub(super) fn queue(connection: &Connection, session: i64) -> Result<Vec<QueuedTurn>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT id, number, input, steering FROM turns WHERE session = ? AND state = 'queued' ORDER BY number",
    )?;
    let mut rows = select.query([session])?;
    let mut queue = Vec::new();
    while let Some(row) = rows.next()? {
        let (id, input, steering) = (turn_id(row, 0)?, from_json(row.get_ref(2)?)?, row.get(3)?);
        queue.push(QueuedTurn { id, number: row.get(1)?, input, steering });
    }
    Ok(queue)
}

/// Returns the turns that have not ended. The result is consistent if the connection is in a transaction.
pub(super) fn unfinished_turns(
    connection: &Connection,
    scope: &Scope,
    session: SessionId,
) -> Result<UnfinishedTurns, Failure> {
    let key = StoredSession::key_of(connection, scope, session)?;
    let mut select = connection
        .prepare_cached("SELECT id FROM turns WHERE session = ? AND started_at IS NOT NULL AND ended_at IS NULL")?;
    let active = select.query_row([key], |row| turn_id(row, 0)).optional()?;
    let mut select =
        connection.prepare_cached("SELECT id FROM turns WHERE session = ? AND state = 'queued' ORDER BY number")?;
    let queue = select.query_map([key], |row| turn_id(row, 0))?.collect::<Result<_, _>>()?;
    Ok(UnfinishedTurns { active, queue })
}

/// Returns the next turn after `number` that has begun or ended.
pub(super) fn turn_after(connection: &Connection, session: i64, number: u32) -> Result<Option<(TurnId, u32)>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT id, number FROM turns WHERE session = ? AND number > ? AND state <> 'queued' ORDER BY number LIMIT 1",
    )?;
    let found = select.query_row((session, number), |row| Ok((turn_id(row, 0)?, row.get(1)?)));
    Ok(found.optional()?)
}

/// A turn that has begun.
pub(super) struct BegunTurn {
    id: TurnId,
    pub(super) number: u32,
    /// The number of the turn that it continues.
    pub(super) after: Option<u32>,
    /// Whether it has not ended.
    pub(super) active: bool,
}

impl BegunTurn {
    pub(super) fn numbered(connection: &Connection, session: i64, number: u32) -> Result<Self, Failure> {
        let mut select = connection.prepare_cached(
            "SELECT id, number, after, started_at IS NOT NULL AND ended_at IS NULL FROM turns \
             WHERE session = ? AND number = ?",
        )?;
        let begun = select.query_row((session, number), |row| {
            Ok(Self { id: turn_id(row, 0)?, number: row.get(1)?, after: row.get(2)?, active: row.get(3)? })
        });
        Ok(begun?)
    }
}
