//! The turn that another turn continues.

use rusqlite::{Connection, OptionalExtension as _, Row};
use turnkit_core::{ConflictKind, TurnId};

use super::cut::Cut;
use super::failure::Failure;
use super::rows::message_end;

/// A turn that has ended and that another turn may continue.
pub(super) struct Ancestor {
    pub(super) number: u32,
    /// The number of messages of the branch up to its end.
    pub(super) messages: u32,
    /// The cut of those messages.
    pub(super) cut: Option<Cut>,
}

impl Ancestor {
    /// Finds a finished turn of a session. Returns `None` if the session has no such turn. A turn dropped from the
    /// queue has no messages, so it is replaced by the turn that it was to continue, or else by the last turn that
    /// began before it.
    pub(super) fn find(connection: &Connection, session: i64, turn: TurnId) -> Result<Option<Self>, Failure> {
        let mut select = connection.prepare_cached(
            "SELECT b.number, b.first_message, b.messages, b.cut, b.kept, \
             t.ended_at IS NOT NULL AND b.ended_at IS NOT NULL \
             FROM turns t JOIN turns b ON b.session = t.session \
             AND b.number <= iif(t.started_at IS NULL AND t.ended_at IS NOT NULL, \
             coalesce(t.after, t.number), t.number) \
             WHERE t.id = ? AND t.session = ? AND b.started_at IS NOT NULL ORDER BY b.number DESC LIMIT 1",
        )?;
        let found = select.query_row((turn.0.as_bytes(), session), |row| Ok((Self::read(row)?, row.get(5)?)));
        match found.optional()? {
            Some((ancestor, true)) => Ok(Some(ancestor)),
            Some((_, false)) => Err(Failure::conflict(ConflictKind::TurnNotEnded)),
            None => Ok(None),
        }
    }

    /// Like [`find`](Self::find), but fails if the session does not have the turn.
    pub(super) fn in_session(connection: &Connection, session: i64, turn: TurnId) -> Result<Self, Failure> {
        Self::find(connection, session, turn)?.ok_or_else(|| Failure::conflict(ConflictKind::NotInSession))
    }

    /// Finds the turn that a queued turn is to continue.
    pub(super) fn of_queued(connection: &Connection, queued: i64) -> Result<Option<Self>, Failure> {
        let mut select = connection.prepare_cached(
            "SELECT b.number, b.first_message, b.messages, b.cut, b.kept FROM turns q \
             JOIN turns b ON b.session = q.session AND b.number = q.after WHERE q.key = ?",
        )?;
        Ok(select.query_row([queued], Self::read).optional()?)
    }

    /// Finds the head of a session. Returns `None` if the next turn starts without history.
    pub(super) fn head(connection: &Connection, session: i64) -> Result<Option<Self>, Failure> {
        let mut select = connection.prepare_cached(
            "SELECT h.number, h.first_message, h.messages, h.cut, h.kept FROM sessions s \
             JOIN turns h ON h.session = s.key AND h.number = s.head WHERE s.key = ?",
        )?;
        Ok(select.query_row([session], Self::read).optional()?)
    }

    fn read(row: &Row<'_>) -> Result<Self, rusqlite::Error> {
        Ok(Self { number: row.get(0)?, messages: message_end(row, 1)?, cut: Cut::read(row, 3)? })
    }
}
