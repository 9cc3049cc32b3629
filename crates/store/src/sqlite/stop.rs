//! Requests to stop a turn.

use rusqlite::{Connection, OptionalExtension as _};
use turnkit_core::{
    CancelOutcome, Denial, LogEntry, Recorded, Scope, StopReason, StoreError, Timestamp, TurnId, TurnStatus, Usage,
};

use super::children;
use super::failure::Failure;
use super::rows::{Word as _, to_json, turn_id};
use super::waits;

/// A request to stop, with the terminal event already serialised in case the turn has not begun.
pub(super) struct StopRequest {
    pub(super) scope: Scope,
    pub(super) turn: TurnId,
    pub(super) reason: StopReason,
    pub(super) at: Timestamp,
}

impl StopRequest {
    /// Stores the request. A turn that runs or waits is marked, along with the turns of its sub-agents, and its pending
    /// waits are denied; its current or next owner ends it. A queued turn ends here.
    pub(super) fn store(&self, connection: &Connection) -> Result<CancelOutcome, Failure> {
        let mut update = connection.prepare_cached(
            "UPDATE turns SET stop = ?1, state = iif(state = 'queued', ?2, 'cancelling'), \
             ended_at = iif(state = 'queued', ?3, NULL) \
             WHERE id = ?4 AND state IN ('queued', 'running', 'waiting') \
             AND EXISTS (SELECT 1 FROM sessions s WHERE s.key = session AND s.tenant = ?5 AND s.user = ?6) \
             RETURNING key, fence, ended_at IS NOT NULL, \
             EXISTS (SELECT 1 FROM waits w WHERE w.turn = turns.key AND w.decided_at IS NULL)",
        )?;
        let status = self.reason.status();
        let (tenant, user) = (&self.scope.tenant.0, &self.scope.user.0);
        let row = (self.reason.word(), status.as_str(), self.at.millis(), self.turn.0.as_bytes(), tenant, user);
        let stopped = update.query_row(row, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)));
        match stopped.optional()? {
            Some((key, fence, true, _)) => {
                log_end(connection, (key, fence), (status, None), self.at)?;
                Ok(CancelOutcome::EndedUnstarted)
            }
            Some((key, _, false, is_asked)) => {
                if is_asked {
                    waits::deny(connection, key, Denial::of_stop(self.reason), self.at)?;
                    children::stop(connection, key, self.at)?;
                }
                Ok(CancelOutcome::Stopping)
            }
            None => self.too_late(connection),
        }
    }

    /// Returns the outcome if the turn was already asked to stop, has ended, or does not belong to this owner.
    fn too_late(&self, connection: &Connection) -> Result<CancelOutcome, Failure> {
        let mut select = connection.prepare_cached(
            "SELECT t.state = 'cancelling' FROM turns t JOIN sessions s ON s.key = t.session \
             WHERE t.id = ? AND s.tenant = ? AND s.user = ?",
        )?;
        let row = (self.turn.0.as_bytes(), &self.scope.tenant.0, &self.scope.user.0);
        match select.query_row(row, |row| row.get(0)).optional()? {
            Some(true) => Ok(CancelOutcome::Stopping),
            Some(false) => Ok(CancelOutcome::AlreadyEnded),
            None => Err(Failure::Refused(StoreError::NotFound)),
        }
    }
}

/// Ends every queued turn of a session, because an interrupting message replaces them. Returns them, oldest first.
pub(super) fn supersede_queue(connection: &Connection, session: i64, at: Timestamp) -> Result<Vec<TurnId>, Failure> {
    let reason = StopReason::Superseded;
    let mut select = connection
        .prepare_cached("SELECT key, id, fence FROM turns WHERE session = ? AND state = 'queued' ORDER BY number")?;
    let queued = select.query_map([session], |row| Ok((row.get(0)?, turn_id(row, 1)?, row.get(2)?)))?;
    let queued: Vec<(i64, TurnId, u32)> = queued.collect::<Result<_, _>>()?;
    let mut update = connection.prepare_cached("UPDATE turns SET stop = ?, state = ?, ended_at = ? WHERE key = ?")?;
    let mut ended = Vec::with_capacity(queued.len());
    for (key, id, fence) in queued {
        let status = reason.status();
        update.execute((reason.word(), status.as_str(), at.millis(), key))?;
        log_end(connection, (key, fence), (status, None), at)?;
        ended.push(id);
    }
    Ok(ended)
}

/// Writes the terminal event of a turn that never began: its status, and the turn that took its message.
pub(super) fn log_end(
    connection: &Connection,
    (turn, fence): (i64, u32),
    (status, steered_into): (TurnStatus, Option<TurnId>),
    at: Timestamp,
) -> Result<(), Failure> {
    let kind = Recorded::TurnEnded { status, usage: Usage::default(), steps: 0, steered_into };
    let body = to_json(&[LogEntry { at, kind }]).map_err(Failure::Refused)?;
    let mut insert =
        connection.prepare_cached("INSERT INTO events (turn, from_seq, to_seq, fence, body) VALUES (?, 2, 2, ?, ?)")?;
    insert.execute((turn, fence, body))?;
    Ok(())
}
