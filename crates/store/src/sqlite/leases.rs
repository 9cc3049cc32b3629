//! The leases of the workers that share this store. All workers of an SQLite store are in one process, so leases are
//! kept in memory: when the process dies, so do all its workers.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use turnkit_core::ports::Clock;
use turnkit_core::{Lease, StoreError, Timestamp, WorkerId};

/// The ownership of turns by the workers of this process.
pub(super) enum Leases {
    /// The process is a single worker, and the data directory is locked. Its lease lasts as long as the store is open.
    WhileLocked,
    /// Several workers, each with a lease of its own.
    Timed(TimedLeases),
}

/// Leases that expire by a clock.
pub(super) struct TimedLeases {
    clock: Arc<dyn Clock>,
    length: Duration,
    workers: Mutex<BTreeMap<WorkerId, WorkerLease>>,
}

/// The lease of a registered worker.
#[derive(Clone, Copy)]
struct WorkerLease {
    /// The start of the first of its consecutive leases without a gap.
    unbroken_since: Timestamp,
    until: Timestamp,
}

impl Leases {
    pub(super) fn timed(clock: Arc<dyn Clock>, length: Duration) -> Self {
        Self::Timed(TimedLeases { clock, length, workers: Mutex::default() })
    }

    pub(super) fn register(&self, worker: &WorkerId) -> Lease {
        let Self::Timed(timed) = self else { return Lease::WhileLocked };
        let now = timed.clock.now();
        let held = WorkerLease { unbroken_since: now, until: now.plus(timed.length) };
        timed.lock().insert(worker.clone(), held);
        Lease::Timed(timed.length)
    }

    pub(super) fn renew(&self, worker: &WorkerId) -> Result<Lease, StoreError> {
        let Self::Timed(timed) = self else { return Ok(Lease::WhileLocked) };
        let now = timed.clock.now();
        let mut workers = timed.lock();
        let held = workers.get_mut(worker).ok_or(StoreError::Fenced)?;
        if held.until <= now {
            held.unbroken_since = now;
        }
        held.until = now.plus(timed.length);
        Ok(Lease::Timed(timed.length))
    }

    /// Rejects a worker that is no longer registered.
    pub(super) fn check(&self, worker: &WorkerId) -> Result<(), StoreError> {
        match self {
            Self::Timed(timed) if !timed.lock().contains_key(worker) => Err(StoreError::Fenced),
            Self::Timed(_) | Self::WhileLocked => Ok(()),
        }
    }
}

impl TimedLeases {
    /// Removes the workers whose lease has expired, if `sweeper` is entitled to. Returns those of `owners` that are not
    /// registered afterwards.
    pub(super) fn remove_dead(&self, sweeper: &WorkerId, owners: Vec<WorkerId>) -> Result<Vec<WorkerId>, StoreError> {
        let now = self.clock.now();
        let mut workers = self.lock();
        let own = workers.get(sweeper).ok_or(StoreError::Fenced)?;
        let is_unbroken = now < own.until && own.unbroken_since.plus(self.length) <= now;
        if !is_unbroken {
            return Ok(Vec::new());
        }
        workers.retain(|_, held| now < held.until);
        Ok(owners.into_iter().filter(|owner| !workers.contains_key(owner)).collect())
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<WorkerId, WorkerLease>> {
        self.workers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Leases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WhileLocked => "WhileLocked",
            Self::Timed(_) => "Timed",
        })
    }
}
