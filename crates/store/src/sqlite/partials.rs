//! Saves of incomplete answers.

use rusqlite::{Connection, Row};
use turnkit_core::{Claim, PartialSave, StoreError};

use super::failure::Failure;
use super::rows::{from_json, to_json};

/// A save to be stored, with its JSON already serialised.
pub(super) struct NewPartial {
    claim: Claim,
    partial: PartialSave,
    body: String,
}

impl NewPartial {
    pub(super) fn new(claim: &Claim, partial: PartialSave) -> Result<Self, StoreError> {
        let body = to_json(&partial.texts)?;
        Ok(Self { claim: claim.clone(), partial, body })
    }

    /// Stores the save, unless the turn has ended or has another owner.
    pub(super) fn store(&self, connection: &Connection) -> Result<(), Failure> {
        let mut insert = connection.prepare_cached(
            "INSERT INTO partials (turn, step, attempt, ord, body) SELECT key, ?1, ?2, ?3, ?4 FROM turns \
             WHERE id = ?5 AND fence = ?6 AND owner = ?7 AND ended_at IS NULL",
        )?;
        let PartialSave { step, attempt, order, .. } = self.partial;
        let (turn, worker) = (self.claim.turn(), self.claim.worker());
        let row = (step, attempt, order, &self.body, turn.0.as_bytes(), self.claim.fence().0, &worker.0);
        match insert.execute(row)? {
            0 => Err(Failure::Refused(StoreError::Fenced)),
            _ => Ok(()),
        }
    }
}

/// Returns the saves of a turn. A damaged save is read as empty, because the turn does not depend on it.
pub(super) fn of_turn(connection: &Connection, turn: i64) -> Result<Vec<PartialSave>, Failure> {
    let mut select = connection
        .prepare_cached("SELECT step, attempt, ord, body FROM partials WHERE turn = ? ORDER BY step, attempt, ord")?;
    let mut rows = select.query([turn])?;
    let mut saves = Vec::new();
    while let Some(row) = rows.next()? {
        saves.push(match read(row) {
            Err(failure) if failure.is_damage() => PartialSave::default(),
            save => save?,
        });
    }
    Ok(saves)
}

pub(super) fn remove(connection: &Connection, turn: i64) -> Result<(), Failure> {
    connection.prepare_cached("DELETE FROM partials WHERE turn = ?")?.execute([turn])?;
    Ok(())
}

fn read(row: &Row<'_>) -> Result<PartialSave, Failure> {
    Ok(PartialSave { step: row.get(0)?, attempt: row.get(1)?, order: row.get(2)?, texts: from_json(row.get_ref(3)?)? })
}
