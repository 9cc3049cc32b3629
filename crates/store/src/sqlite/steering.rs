//! Steering messages for a running turn, which wait in the queue of its session.

use rusqlite::Connection;
use turnkit_core::{Claim, SteeringMessage, Timestamp, TurnId, TurnStatus};

use super::blob_rows;
use super::failure::Failure;
use super::owned::OwnedTurn;
use super::rows::{from_json, turn_id};
use super::stop::log_end;

/// A queued turn whose message is for the running turn.
struct Waiting {
    key: i64,
    id: TurnId,
    fence: u32,
}

/// Marks the unfinished turns of a session: a steering message is queued behind them. Each of them may be the running
/// turn before the message is taken.
pub(super) fn note(connection: &Connection, session: i64, active: Option<i64>) -> Result<(), Failure> {
    let mut update = connection.prepare_cached("UPDATE turns SET steered = 1 WHERE key = ?")?;
    update.execute([active])?;
    let mut update =
        connection.prepare_cached("UPDATE turns SET steered = 1 WHERE session = ? AND state = 'queued'")?;
    update.execute([session])?;
    Ok(())
}

/// Reports whether the queue begins with a steering message.
pub(super) fn is_next(connection: &Connection, session: i64) -> Result<bool, Failure> {
    Ok(!first(connection, session, 1)?.is_empty())
}

/// Returns the steering messages at the start of the queue, for a claimed turn. An unreadable message ends them: it
/// runs as a turn of its own, which fails.
pub(super) fn messages(connection: &Connection, claim: &Claim) -> Result<Vec<SteeringMessage>, Failure> {
    let session = OwnedTurn::claimed(connection, claim)?.session;
    let mut select = connection.prepare_cached(
        "SELECT id, input, steering FROM turns WHERE session = ? AND state = 'queued' ORDER BY number",
    )?;
    let mut rows = select.query([session])?;
    let mut messages = Vec::new();
    while let Some(row) = rows.next()? {
        let is_steering: bool = row.get(2)?;
        match from_json(row.get_ref(1)?) {
            Ok(message) if is_steering => messages.push(SteeringMessage { turn: turn_id(row, 0)?, message }),
            _ => break,
        }
    }
    Ok(messages)
}

/// The steering messages that a checkpoint takes from the queue.
pub(super) struct SteeringBatch(Vec<Waiting>);

impl SteeringBatch {
    /// Finds `turns` at the start of the queue. Returns `None` if the queue does not begin with them.
    pub(super) fn find(connection: &Connection, session: i64, turns: &[TurnId]) -> Result<Option<Self>, Failure> {
        let first = first(connection, session, turns.len())?;
        let is_same = first.iter().map(|waiting| waiting.id).eq(turns.iter().copied());
        Ok(is_same.then_some(Self(first)))
    }

    /// Ends the turns. Their messages and files now belong to the turn `into`.
    pub(super) fn end(
        &self,
        connection: &Connection,
        into: &OwnedTurn,
        id: TurnId,
        at: Timestamp,
    ) -> Result<(), Failure> {
        let status = TurnStatus::Completed;
        for Waiting { key, fence, .. } in &self.0 {
            let mut update = connection
                .prepare_cached("UPDATE turns SET state = ?, ended_at = ?, steered_into = ? WHERE key = ?")?;
            update.execute((status.as_str(), at.millis(), into.number, key))?;
            log_end(connection, (*key, *fence), (status, Some(id)), at)?;
            blob_rows::move_references(connection, *key, into.key)?;
        }
        Ok(())
    }
}

/// Returns at most `most` turns from the start of the queue, up to the first one without a steering message.
fn first(connection: &Connection, session: i64, most: usize) -> Result<Vec<Waiting>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT key, id, fence, steering FROM turns WHERE session = ? AND state = 'queued' ORDER BY number LIMIT ?",
    )?;
    let mut rows = select.query((session, i64::try_from(most).unwrap_or(i64::MAX)))?;
    let mut first = Vec::new();
    while let Some(row) = rows.next()? {
        if !row.get::<_, bool>(3)? {
            break;
        }
        first.push(Waiting { key: row.get(0)?, id: turn_id(row, 1)?, fence: row.get(2)? });
    }
    Ok(first)
}
