//! Workers as the store sees them: their leases, and the turns assigned to them.

use std::time::Duration;

use crate::{ClaimedTurn, OrphanedTurn, StopReason, StoreError, TurnId};

/// The duration for which a worker may own turns without a renewal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lease {
    /// As long as the process holds the lock of the database. No renewal is needed.
    WhileLocked,
    /// For this duration by the store's clock, counted from the start of the call that granted the lease.
    Timed(Duration),
}

/// The outcome of a sweep, for the worker that ran it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SweepOutcome {
    /// Turns of this worker that were asked to stop, oldest first.
    pub stops: Vec<(TurnId, StopReason)>,
    /// Turns without an owner that have had [`Deaths::SUSPICIOUS`](crate::Deaths::SUSPICIOUS) deaths or more, oldest
    /// first. The worker decides when to run each of them, and claims it by its id.
    pub suspects: Vec<OrphanedTurn>,
}

/// The result of claiming the oldest turns without an owner.
#[derive(Debug, Clone, Default)]
pub struct ClaimedTurns {
    /// The turns that the worker now owns, oldest first.
    pub claimed: Vec<ClaimedTurn>,
    /// Turns that could not be claimed, because storage failed or their stored form is damaged. They have no owner.
    pub failed: Vec<(TurnId, StoreError)>,
}
