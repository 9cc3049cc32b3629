//! Where workers are registered, and get the turns they run.

use super::BoxFuture;
use crate::{ClaimedTurns, Lease, StoreError, Sweep, Swept, Timestamp, WorkerId};

/// Registers workers and gives turns to them. Every lease ends by the store's clock: no method takes the worker's time to
/// judge one.
///
/// A store that a single process opens under a lock grants [`Lease::OfLock`]: it takes the turns of that process's
/// predecessor over when it is opened, and never those of a worker that is registered.
pub trait WorkerStore: Send + Sync {
    /// Registers a worker and grants its first lease. Its id is fresh: no earlier process had it.
    ///
    /// # Errors
    /// Storage failed.
    fn register<'a>(&'a self, worker: &'a WorkerId) -> BoxFuture<'a, Result<Lease, StoreError>>;

    /// Grants a new lease in place of the present one. A lease that is over can be renewed until the sweep of another worker
    /// has ended it.
    ///
    /// # Errors
    /// `Fenced` if the worker is not registered any more: its turns are taken, and it must register under a fresh id.
    fn renew<'a>(&'a self, worker: &'a WorkerId) -> BoxFuture<'a, Result<Lease, StoreError>>;

    /// Removes workers whose lease is over, and takes them out of their turns, each of which is charged its share of the
    /// death. Only a worker whose own leases were unbroken for the length of one does so: a failure of the store that ends all
    /// leases takes no turns from workers that live.
    ///
    /// # Errors
    /// `Fenced` if the worker that sweeps is not registered any more; otherwise storage failed.
    fn sweep<'a>(&'a self, sweep: &'a Sweep) -> BoxFuture<'a, Result<Swept, StoreError>>;

    /// Claims up to `most` turns that are not over and have no owner, oldest first. A queued turn is claimed only if nothing
    /// before it in its session is unfinished. [`Swept::suspects`] are left alone. Fewer than
    /// `most` may be returned although others are left; if none is returned, no other was left.
    ///
    /// # Errors
    /// `Fenced` if the worker is not registered any more; otherwise storage failed, and nothing was claimed.
    fn claim_oldest<'a>(
        &'a self,
        sweep: &'a Sweep,
        most: usize,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<ClaimedTurns, StoreError>>;
}
