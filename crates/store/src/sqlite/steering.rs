//! Messages for a running turn, which wait in the queue of its session.

use rusqlite::Connection;
use turnkit_core::{Claim, SteeringMessage, Timestamp, TurnId, TurnStatus};

use super::blob_rows;
use super::failure::Failure;
use super::owned::Owned;
use super::rows::{from_json, turn_id};
use super::stop::log_end;

/// A turn of the queue whose message is for the running turn.
struct Waiting {
    key: i64,
    id: TurnId,
    fence: u32,
}

/// Notes at the turns of a session that are not over that a message for the running turn is queued behind them. Each can
/// be the running one before the message is taken.
pub(super) fn note(connection: &Connection, session: i64, active: Option<i64>) -> Result<(), Failure> {
    let mut update = connection.prepare_cached("UPDATE turns SET steered = 1 WHERE key = ?")?;
    update.execute([active])?;
    let mut update =
        connection.prepare_cached("UPDATE turns SET steered = 1 WHERE session = ? AND state = 'queued'")?;
    update.execute([session])?;
    Ok(())
}

/// Reports whether the queue begins with a message for the running turn.
pub(super) fn is_next(connection: &Connection, session: i64) -> Result<bool, Failure> {
    Ok(!first(connection, session, 1)?.is_empty())
}

/// Returns the messages for a claimed turn that the queue begins with. One that cannot be read ends them: it runs as a turn
/// of its own, which fails.
pub(super) fn messages(connection: &Connection, claim: &Claim) -> Result<Vec<SteeringMessage>, Failure> {
    let session = Owned::claimed(connection, claim)?.session;
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

/// The messages that a boundary takes out of the queue.
pub(super) struct Taken(Vec<Waiting>);

impl Taken {
    /// Finds `turns` at the beginning of the queue; `None` if it does not begin with them.
    pub(super) fn find(connection: &Connection, session: i64, turns: &[TurnId]) -> Result<Option<Self>, Failure> {
        let first = first(connection, session, turns.len())?;
        let is_same = first.iter().map(|waiting| waiting.id).eq(turns.iter().copied());
        Ok(is_same.then_some(Self(first)))
    }

    /// Ends the turns: their messages and files are those of the turn `into`.
    pub(super) fn end(&self, connection: &Connection, into: &Owned, id: TurnId, at: Timestamp) -> Result<(), Failure> {
        let status = TurnStatus::Completed;
        for Waiting { key, fence, .. } in &self.0 {
            let mut update = connection
                .prepare_cached("UPDATE turns SET state = ?, ended_at = ?, steered_into = ? WHERE key = ?")?;
            update.execute((status.as_str(), at.millis(), into.number, key))?;
            log_end(connection, (*key, *fence), (status, Some(id)), at)?;
            blob_rows::move_names(connection, *key, into.key)?;
        }
        Ok(())
    }
}

/// The first turns of the queue, at most so many, up to the first one whose message is not for the running turn.
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
