//! Registration of workers and assignment of turns to them.

use super::BoxFuture;
use crate::{ClaimedTurns, Lease, StoreError, Sweep, SweepOutcome, Timestamp, WorkerId};

/// Registers workers and assigns turns to them. Leases expire by the store's clock: no method uses the worker's time to
/// judge a lease.
///
/// A store that a single process opens under a lock grants [`Lease::WhileLocked`]. When opened, it takes over the turns
/// of that process's predecessor, and never those of a registered worker.
pub trait WorkerStore: Send + Sync {
    /// Registers a worker and grants its first lease. The worker's id must be new: no earlier process may have used it.
    ///
    /// # Errors
    /// Storage failed.
    fn register<'a>(&'a self, worker: &'a WorkerId) -> BoxFuture<'a, Result<Lease, StoreError>>;

    /// Grants a new lease in place of the present one. An expired lease can be renewed until another worker's sweep
    /// removes the worker.
    ///
    /// # Errors
    /// `Fenced` if the worker is no longer registered: its turns are taken, and it must register under a new id.
    fn renew<'a>(&'a self, worker: &'a WorkerId) -> BoxFuture<'a, Result<Lease, StoreError>>;

    /// Removes workers with expired leases and takes their turns from them. Each turn is charged its share of the
    /// death. Only a worker whose own leases were unbroken for the length of one lease may remove others. So a store
    /// failure that expires all leases takes no turns from live workers.
    ///
    /// # Errors
    /// `Fenced` if the sweeping worker is no longer registered; otherwise storage failed.
    fn sweep<'a>(&'a self, sweep: &'a Sweep) -> BoxFuture<'a, Result<SweepOutcome, StoreError>>;

    /// Claims up to `most` unfinished turns without an owner, oldest first. A queued turn is claimed only if no earlier
    /// turn of its session is unfinished. [`SweepOutcome::suspects`] are skipped. The result may be shorter than `most`
    /// although more turns are available; if it is empty, no turn was available.
    ///
    /// # Errors
    /// `Fenced` if the worker is no longer registered; otherwise storage failed and nothing was claimed.
    fn claim_oldest<'a>(
        &'a self,
        sweep: &'a Sweep,
        most: usize,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<ClaimedTurns, StoreError>>;
}
