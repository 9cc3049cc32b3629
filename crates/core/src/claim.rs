//! Ownership of turns.

use crate::{ClientCaps, Deaths, Fence, Scope, Session, StopReason, Timestamp, TurnId, WorkerId};

/// The exclusive right of a turn's owner to write the turn. Only a store creates claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    turn: TurnId,
    scope: Scope,
    fence: Fence,
    worker: WorkerId,
}

impl Claim {
    /// Creates a claim. For implementations of [`TurnStore`](crate::ports::TurnStore), after they have stored the
    /// claim.
    pub fn granted_by_store(turn: TurnId, scope: Scope, fence: Fence, worker: WorkerId) -> Self {
        Self { turn, scope, fence, worker }
    }

    /// Returns the id of the turn.
    pub fn turn(&self) -> TurnId {
        self.turn
    }

    /// Returns the scope that the turn belongs to.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Returns the fence, which every write carries.
    pub fn fence(&self) -> Fence {
        self.fence
    }

    /// Returns the owner. Every write checks it together with the fence.
    pub fn worker(&self) -> &WorkerId {
        &self.worker
    }
}

/// A turn that a worker has claimed.
#[derive(Debug, Clone)]
pub struct ClaimedTurn {
    /// The right to write the turn.
    pub claim: Claim,
    /// The number of the turn in its session.
    pub number: u32,
    /// How many owners have run the turn since its last checkpoint, including this one.
    pub attempts: u32,
    /// Process deaths charged to the turn since its last checkpoint.
    pub deaths: Deaths,
    /// The agent that answers.
    pub agent: Box<str>,
    /// The capabilities of the client.
    pub caps: ClientCaps,
    /// The session of the turn, without its history.
    pub session: Session,
    /// The number of messages in the session, including those of the turn. Used as the key of a cached history.
    pub messages: u32,
    /// When the turn was first run.
    pub started_at: Timestamp,
    /// Why the turn is to stop, if a stop was requested.
    pub stop: Option<StopReason>,
    /// The number of the turn that this turn continues.
    pub after: Option<u32>,
    /// Whether the turn is a [chore](crate::NewTurn::chore).
    pub chore: bool,
}

/// Why an owner releases an unfinished turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Release {
    /// The process is stopping and the turn has not run yet.
    HandedOver,
    /// The result could not be stored and must be produced again. This counts as a death of the owner.
    Unsaved,
}

/// The right to do maintenance on the turns of all owners. It gives access to ids only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sweep {
    worker: WorkerId,
}

impl Sweep {
    /// Creates the right to do maintenance on behalf of `worker`.
    pub fn new(worker: WorkerId) -> Self {
        Self { worker }
    }

    /// Returns the worker.
    pub fn worker(&self) -> &WorkerId {
        &self.worker
    }
}
