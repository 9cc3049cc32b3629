//! Workers of the model store, and their leases.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use turnkit_core::ports::{BoxFuture, Clock, WorkerStore};
use turnkit_core::{ClaimedTurns, Lease, StoreError, Sweep, SweepOutcome, Timestamp, WorkerId};

use super::disk::{Held, Rows};
use super::{Flaw, ModelStore};

/// The length of a disk's leases, and the clock that measures them.
#[derive(Clone)]
pub(super) struct LeaseTerms {
    pub(super) clock: Arc<dyn Clock>,
    pub(super) length: Duration,
}

impl fmt::Debug for LeaseTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LeaseTerms").field("length", &self.length).finish_non_exhaustive()
    }
}

impl ModelStore {
    /// Returns the current time for judging leases, and the length of a lease. Returns `None` if the disk has one
    /// process at a time.
    fn lease_terms(&self) -> Option<(Timestamp, Duration)> {
        let terms = self.disk.leases.as_ref()?;
        let clock = self.clock.as_ref().filter(|_| self.flaw == Some(Flaw::LeaseByLocalClock));
        Some((clock.unwrap_or(&terms.clock).now(), terms.length))
    }

    /// Returns an error if the worker is no longer registered.
    pub(super) fn check_registered(&self, rows: &Rows, worker: &WorkerId) -> Result<(), StoreError> {
        let is_refused = self.disk.leases.is_some() && !rows.workers.contains_key(worker);
        if is_refused { Err(StoreError::Fenced) } else { Ok(()) }
    }
}

impl WorkerStore for ModelStore {
    fn register<'a>(&'a self, worker: &'a WorkerId) -> BoxFuture<'a, Result<Lease, StoreError>> {
        Box::pin(self.commit_as_holder(move |rows, flaw| {
            let Some((now, length)) = self.lease_terms() else { return Ok(Lease::WhileLocked) };
            if flaw == Some(Flaw::StartTakesAll) {
                rows.record_death_of(None);
            }
            rows.workers.insert(worker.clone(), Held { unbroken_since: now, until: now.plus(length) });
            Ok(Lease::Timed(length))
        }))
    }

    fn renew<'a>(&'a self, worker: &'a WorkerId) -> BoxFuture<'a, Result<Lease, StoreError>> {
        Box::pin(self.commit_as_holder(move |rows, flaw| {
            let Some((now, length)) = self.lease_terms() else { return Ok(Lease::WhileLocked) };
            let held = rows.workers.get_mut(worker).ok_or(StoreError::Fenced)?;
            if held.until <= now {
                held.unbroken_since = now;
            }
            if flaw != Some(Flaw::RenewalWithoutEffect) {
                held.until = now.plus(length);
            }
            Ok(Lease::Timed(length))
        }))
    }

    fn sweep<'a>(&'a self, sweep: &'a Sweep) -> BoxFuture<'a, Result<SweepOutcome, StoreError>> {
        Box::pin(self.commit_as_holder(move |rows, flaw| {
            if let Some((now, length)) = self.lease_terms() {
                rows.remove_dead(sweep.worker(), now, length, flaw)?;
            }
            Ok(rows.swept(sweep.worker(), flaw))
        }))
    }

    fn claim_oldest<'a>(
        &'a self,
        sweep: &'a Sweep,
        most: usize,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<ClaimedTurns, StoreError>> {
        Box::pin(self.commit_as_holder(move |rows, flaw| {
            self.check_registered(rows, sweep.worker())?;
            Ok(ClaimedTurns { claimed: rows.claim_oldest(sweep.worker(), most, at, flaw), failed: Vec::new() })
        }))
    }
}

impl Rows {
    /// Removes the workers whose leases have expired, and ends their ownership of turns, if the sweeper is allowed to.
    fn remove_dead(
        &mut self,
        sweeper: &WorkerId,
        now: Timestamp,
        length: Duration,
        flaw: Option<Flaw>,
    ) -> Result<(), StoreError> {
        let own = self.workers.get(sweeper).ok_or(StoreError::Fenced)?;
        let is_unbroken = now < own.until && own.unbroken_since.plus(length) <= now;
        if !is_unbroken && flaw != Some(Flaw::SweepWithoutOwnLease) {
            return Ok(());
        }
        let is_spared = |worker: &WorkerId| worker == sweeper || flaw != Some(Flaw::SweepOfTheLiving);
        self.workers.retain(|worker, held| now < held.until && is_spared(worker));
        if flaw == Some(Flaw::DeadKeepTurns) {
            return Ok(());
        }
        let owners = self.turns.iter().filter(|turn| turn.state.is_active()).filter_map(|turn| turn.owner.clone());
        let mut dead: Vec<WorkerId> = owners.filter(|owner| !self.workers.contains_key(owner)).collect();
        dead.sort();
        dead.dedup();
        dead.iter().for_each(|worker| self.record_death_of(Some(worker)));
        Ok(())
    }
}
