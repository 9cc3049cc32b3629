//! The turn of a sub-agent, begun in one transaction with a checkpoint of the turn above it.

use rusqlite::Connection;
use turnkit_core::{Accepted, CallUid, Claimed, NewChild, Scope, SessionKey, StoreError, WaitId};

use super::accept::NewTurn;
use super::failure::Failure;
use super::place::Place;
use super::rows::unreadable;

/// A turn of a sub-agent to be stored, its JSON written.
pub(super) struct Child {
    wait: WaitId,
    turn: NewTurn,
}

impl Child {
    pub(super) fn new(scope: &Scope, child: NewChild) -> Result<Self, StoreError> {
        Ok(Self { wait: child.wait, turn: NewTurn::new(scope, child.accept)? })
    }

    /// Begins the turn below another one. `session` is that of the other one.
    pub(super) fn begin(&self, connection: &Connection, turn: i64, session: i64) -> Result<Claimed, Failure> {
        let (scope, accept) = self.turn.parts();
        let continued = match &accept.session {
            SessionKey::Id(id) => Place::by_id(connection, scope, *id)?.filter(Place::is_idle),
            _ => None,
        };
        let place = match continued.filter(|place| place.parent == Some(session)) {
            Some(place) => place,
            None => Place::make_child(connection, scope, accept, session)?,
        };
        let Accepted::Running(claimed) = self.turn.run(connection, place)? else {
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
