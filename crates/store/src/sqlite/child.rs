//! The turn of a sub-agent, started in the same transaction as a checkpoint of its parent turn.

use rusqlite::Connection;
use turnkit_core::{AcceptOutcome, CallUid, ClaimedTurn, NewChild, Scope, SessionKey, StoreError, WaitId};

use super::accept::TurnInsert;
use super::failure::Failure;
use super::place::TurnPlacement;
use super::rows::unreadable;

/// A sub-agent's turn to be stored, with its JSON already serialised.
pub(super) struct Child {
    wait: WaitId,
    turn: TurnInsert,
}

impl Child {
    pub(super) fn new(scope: &Scope, child: NewChild) -> Result<Self, StoreError> {
        Ok(Self { wait: child.wait, turn: TurnInsert::new(scope, child.accept)? })
    }

    /// Starts the turn as a child of `turn`. `session` is the session of that parent turn.
    pub(super) fn begin(&self, connection: &Connection, turn: i64, session: i64) -> Result<ClaimedTurn, Failure> {
        let (scope, accept) = self.turn.parts();
        let continued = match &accept.session {
            SessionKey::Id(id) => TurnPlacement::by_id(connection, scope, *id)?.filter(TurnPlacement::is_idle),
            _ => None,
        };
        let placement = match continued.filter(|placement| placement.parent == Some(session)) {
            Some(placement) => placement,
            None => TurnPlacement::make_child(connection, scope, accept, session)?,
        };
        let AcceptOutcome::Running(claimed) = self.turn.run(connection, placement)? else {
            return Err(unreadable("the turn of a sub-agent does not run"));
        };
        let WaitId { call: CallUid { step, ordinal, .. }, number } = self.wait;
        let mut update = connection.prepare_cached(
            "UPDATE turns SET parent = ?, parent_step = ?, parent_ordinal = ?, parent_number = ? WHERE id = ?",
        )?;
        update.execute((turn, step, ordinal, number, accept.turn.0.as_bytes()))?;
        Ok(*claimed)
    }
}
