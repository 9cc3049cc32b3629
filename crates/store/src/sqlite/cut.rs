//! The messages of a branch that remain after its newest summary.

use rusqlite::{Connection, OptionalExtension as _, Row};
use turnkit_core::{Anchor, Message, Summary};

use super::rows::anchor;

/// The messages of a branch that remain after its newest summary. Each turn stores the cut of the branch up to its end,
/// so that a read of the branch need not search for the summary first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut {
    /// The place in the branch of the first remaining message.
    pub(super) covers: u32,
    /// The place of an earlier message that remains too.
    pub(super) keeps: Option<u32>,
}

impl Cut {
    /// Returns the cut of a message, if it is a summary.
    pub(super) fn from_message(message: &Message) -> Option<Self> {
        message.summary().map(|Summary { covers, keeps, .. }| Self { covers: *covers, keeps: *keeps })
    }

    /// Reads the columns `cut` and `kept` of a turn.
    pub(super) fn read(row: &Row<'_>, column: usize) -> Result<Option<Self>, rusqlite::Error> {
        let Some(covers) = row.get(column)? else { return Ok(None) };
        Ok(Some(Self { covers, keeps: row.get(column + 1)? }))
    }

    /// Returns the cut of the branch that ends with turn `number` of a session, and the size of the last request that a
    /// provider counted.
    pub(super) fn after(
        connection: &Connection,
        session: i64,
        number: u32,
    ) -> Result<(Option<Self>, Option<Anchor>), rusqlite::Error> {
        let mut select =
            connection.prepare_cached("SELECT cut, kept, anchor FROM turns WHERE session = ? AND number = ?")?;
        let found = select.query_row((session, number), |row| Ok((Self::read(row, 0)?, anchor(row, 2)?)));
        Ok(found.optional()?.unwrap_or_default())
    }

    /// Returns the place of the first remaining message.
    pub(super) fn first(self) -> u32 {
        self.keeps.map_or(self.covers, |kept| kept.min(self.covers))
    }
}
