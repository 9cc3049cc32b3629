//! Asking a turn to stop.

use rusqlite::{Connection, OptionalExtension as _};
use turnkit_core::{
    CancelOutcome, LogEntry, Recorded, Scope, StopReason, StoreError, Timestamp, TurnId, TurnStatus, Usage,
};

use super::failure::Failure;
use super::rows::{Word as _, to_json};

/// A request to stop, its terminal event written in case the turn has not begun.
pub(super) struct StopRequest {
    pub(super) scope: Scope,
    pub(super) turn: TurnId,
    pub(super) reason: StopReason,
    pub(super) at: Timestamp,
}

impl StopRequest {
    /// A turn that runs or waits is marked: its owner, or whoever claims it, ends it. A queued one ends here.
    pub(super) fn store(&self, connection: &Connection) -> Result<CancelOutcome, Failure> {
        let mut update = connection.prepare_cached(
            "UPDATE turns SET stop = ?1, state = iif(state = 'queued', ?2, 'cancelling'), \
             ended_at = iif(state = 'queued', ?3, NULL) \
             WHERE id = ?4 AND state IN ('queued', 'running', 'waiting') \
             AND EXISTS (SELECT 1 FROM sessions s WHERE s.key = session AND s.tenant = ?5 AND s.user = ?6) \
             RETURNING key, fence, ended_at IS NOT NULL",
        )?;
        let status = status_of(self.reason);
        let (tenant, user) = (&self.scope.tenant.0, &self.scope.user.0);
        let row = (self.reason.word(), status.as_str(), self.at.millis(), self.turn.0.as_bytes(), tenant, user);
        let stopped = update.query_row(row, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?;
        match stopped {
            Some((key, fence, true)) => {
                self.log_end(connection, key, fence, status)?;
                Ok(CancelOutcome::EndedUnstarted)
            }
            Some((_, _, false)) => Ok(CancelOutcome::Stopping),
            None => self.too_late(connection),
        }
    }

    fn log_end(&self, connection: &Connection, turn: i64, fence: u32, status: TurnStatus) -> Result<(), Failure> {
        let kind = Recorded::TurnEnded { status, usage: Usage::default(), steps: 0 };
        let body = to_json(&[LogEntry { at: self.at, kind }]).map_err(Failure::Refused)?;
        let mut insert = connection
            .prepare_cached("INSERT INTO events (turn, from_seq, to_seq, fence, body) VALUES (?, 2, 2, ?, ?)")?;
        insert.execute((turn, fence, body))?;
        Ok(())
    }

    /// Somebody asked before, or the turn is over, or it is not this owner's.
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

fn status_of(reason: StopReason) -> TurnStatus {
    match reason {
        StopReason::Cancelled => TurnStatus::Cancelled,
        StopReason::Superseded => TurnStatus::Interrupted,
    }
}
