//! The ownership of a turn.

use crate::{ClientCaps, Deaths, Fence, Scope, Session, StopReason, Timestamp, TurnId, WorkerId};

/// The right of a turn's owner to write it. Only a store makes one, by claiming.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    turn: TurnId,
    scope: Scope,
    fence: Fence,
    worker: WorkerId,
}

impl Claim {
    /// For implementations of [`TurnStore`](crate::ports::TurnStore), once the claim is written.
    pub fn granted_by_store(turn: TurnId, scope: Scope, fence: Fence, worker: WorkerId) -> Self {
        Self { turn, scope, fence, worker }
    }

    /// The turn.
    pub fn turn(&self) -> TurnId {
        self.turn
    }

    /// Whose turn it is.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The ownership all writes carry.
    pub fn fence(&self) -> Fence {
        self.fence
    }

    /// The owner. Every write checks it together with the fence.
    pub fn worker(&self) -> &WorkerId {
        &self.worker
    }
}

/// A turn that was claimed.
#[derive(Debug, Clone)]
pub struct Claimed {
    /// The right to write it.
    pub claim: Claim,
    /// Its number in the session.
    pub number: u32,
    /// How many owners have tried what follows its last checkpoint, this one included.
    pub attempts: u32,
    /// Deaths charged to the turn since its last checkpoint.
    pub deaths: Deaths,
    /// The agent that answers.
    pub agent: Box<str>,
    /// What the client can do.
    pub caps: ClientCaps,
    /// Its session, without history.
    pub session: Session,
    /// How many messages the session has, the turn's own included: the key of a cached history.
    pub messages: u32,
    /// When the turn first began to run.
    pub started_at: Timestamp,
    /// Why it should stop, if it was asked to.
    pub stop: Option<StopReason>,
    /// The number of the turn whose history it continues.
    pub after: Option<u32>,
    /// Whether it is a [chore](crate::Accept::chore).
    pub chore: bool,
}

/// Why an owner lets go of a turn that is not over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Release {
    /// The process stops before the turn has run.
    HandedOver,
    /// The result cannot be stored and must be produced again, which counts as a death of the owner.
    Unsaved,
}

/// The right to do maintenance over all owners. It yields ids only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sweep {
    worker: WorkerId,
}

impl Sweep {
    /// Maintenance in the name of a worker.
    pub fn by(worker: WorkerId) -> Self {
        Self { worker }
    }

    /// The worker.
    pub fn worker(&self) -> &WorkerId {
        &self.worker
    }
}
