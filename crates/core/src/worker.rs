//! Workers as the store knows them: their leases, and the turns the store gives them.

use std::time::Duration;

use crate::{Claimed, StopReason, StoreError, TurnId, Unfinished};

/// How long a worker may own turns without renewing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lease {
    /// As long as the process holds the lock of the database. It needs no renewal.
    OfLock,
    /// For this long by the store's clock, from the moment the call that granted it began.
    Timed(Duration),
}

/// Result of a sweep, for the worker that ran it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Swept {
    /// Turns of this worker that were asked to stop, oldest first.
    pub stops: Vec<(TurnId, StopReason)>,
    /// Turns without an owner that saw [`Deaths::SUSPICIOUS`](crate::Deaths::SUSPICIOUS) deaths or more, oldest first. The
    /// worker decides when each of them runs, and claims it by its id.
    pub suspects: Vec<Unfinished>,
}

/// Result of claiming the oldest turns without an owner.
#[derive(Debug, Clone, Default)]
pub struct ClaimedTurns {
    /// Turns the worker owns now, oldest first.
    pub claimed: Vec<Claimed>,
    /// Turns that could not be claimed, because storage failed or their stored form is damaged. They have no owner.
    pub failed: Vec<(TurnId, StoreError)>,
}
