//! What a new turn may do to the unfinished turns of its session.

use rusqlite::Connection;
use turnkit_core::{BusyPolicy, NewTurn};

use super::failure::Failure;
use super::place::TurnPlacement;

/// What a new turn may do to the unfinished turns of its session. Chores are stopped in any case.
#[derive(Debug, Clone, Copy)]
pub(super) struct BusyTreatment {
    pub(super) policy: BusyPolicy,
    /// Whether the message is for the running turn.
    pub(super) is_steering: bool,
    /// Whether the active turn may be stopped while it waits for a decision.
    pub(super) reaches_active: bool,
}

impl BusyTreatment {
    /// Returns the treatment that the request asks for, unless a turn is of an agent beyond its reach. Each unfinished
    /// turn counts, because it may be the running one when a steering message is taken.
    pub(super) fn of(connection: &Connection, accept: &NewTurn, placement: &TurnPlacement) -> Result<Self, Failure> {
        let asked = Self { policy: accept.busy, is_steering: accept.is_steering(), reaches_active: true };
        let reach = &accept.reach;
        if !reach.is_limited() {
            return Ok(asked);
        }
        let reaches_active = match &placement.active {
            Some(active) => {
                let mut select = connection.prepare_cached("SELECT agent FROM turns WHERE key = ?")?;
                let agent: String = select.query_row([active.key], |row| row.get(0))?;
                reach.covers(&agent)
            }
            None => true,
        };
        let mut select = connection
            .prepare_cached("SELECT agent FROM turns WHERE session = ? AND state = 'queued' ORDER BY number")?;
        let queued = select.query_map([placement.stored.key], |row| row.get::<_, String>(0))?;
        let queued: Vec<String> = queued.collect::<Result<_, _>>()?;
        let reaches_all = reaches_active && queued.iter().all(|agent| reach.covers(agent));
        Ok(match accept.busy {
            BusyPolicy::Interrupt | BusyPolicy::Steer if !reaches_all => {
                Self { policy: BusyPolicy::Enqueue, is_steering: false, reaches_active }
            }
            BusyPolicy::Interrupt | BusyPolicy::Steer | BusyPolicy::Enqueue | BusyPolicy::Reject => {
                Self { reaches_active, ..asked }
            }
        })
    }
}
