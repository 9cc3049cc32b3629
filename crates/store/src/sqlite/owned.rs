//! The row of a turn that is still owned under a claim.

use rusqlite::{Connection, OptionalExtension as _, Row};
use turnkit_core::{Claim, StopReason, StoreError};

use super::cut::Cut;
use super::failure::Failure;
use super::rows::Stored;

/// A turn that is still owned under its claim.
pub(super) struct OwnedTurn {
    pub(super) key: i64,
    pub(super) session: i64,
    pub(super) number: u32,
    pub(super) first_message: u32,
    /// The number of its messages.
    pub(super) messages: u32,
    pub(super) stop: Option<StopReason>,
    pub(super) agent: Box<str>,
    /// The cut of its branch.
    pub(super) cut: Option<Cut>,
    /// Whether the turn is a chore, during which the session's head may be moved.
    pub(super) chore: bool,
    /// Whether a steering message for it was queued.
    pub(super) steered: bool,
}

impl OwnedTurn {
    // Reads the row first and updates it later: for an UPDATE with RETURNING, SQLite creates a temporary table.
    pub(super) fn claimed(connection: &Connection, claim: &Claim) -> Result<Self, Failure> {
        let mut select = connection.prepare_cached(
            "SELECT key, session, number, first_message, messages, stop, agent, cut, kept, chore, steered FROM turns \
             WHERE id = ? AND fence = ? AND owner = ? AND ended_at IS NULL",
        )?;
        let turn = claim.turn();
        let owned = (turn.0.as_bytes(), claim.fence().0, &claim.worker().0);
        let owned = select.query_row(owned, Self::read).optional()?;
        owned.ok_or(Failure::Refused(StoreError::Fenced))
    }

    fn read(row: &Row<'_>) -> Result<Self, rusqlite::Error> {
        Ok(Self {
            key: row.get(0)?,
            session: row.get(1)?,
            number: row.get(2)?,
            first_message: row.get(3)?,
            messages: row.get(4)?,
            stop: row.get::<_, Option<Stored<_>>>(5)?.map(|Stored(reason)| reason),
            agent: row.get(6)?,
            cut: Cut::read(row, 7)?,
            chore: row.get(9)?,
            steered: row.get(10)?,
        })
    }
}
