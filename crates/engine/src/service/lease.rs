//! The lease of a worker among several: renewed in time, and the turns of the dead taken over while it holds.

use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep};
use tokio_util::task::TaskTracker;
use turnkit_core::{Lease, StoreError, Swept, WorkerId};

use super::{Inner, TurnService};

/// How often a worker looks for turns of dead workers, for turns without an owner, and for stops that no signal delivered.
const SWEPT_EVERY: Duration = Duration::from_secs(1);
/// The longest pause before a renewal that failed is tried again.
const TRIED_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// The lease of this process, by monotonic time.
#[derive(Default)]
pub(super) struct HeldLease {
    /// Until when the process may start turns. Never set where the lease lasts as long as a lock.
    safe_until: OnceLock<watch::Sender<Instant>>,
    /// Has the task that renews it.
    keeper: TaskTracker,
}

impl HeldLease {
    /// Reports whether other processes may own turns of this store.
    pub(super) fn is_timed(&self) -> bool {
        self.safe_until.get().is_some()
    }

    /// Refuses to start a turn if the lease may be over before the turn has begun.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        match self.safe_until.get() {
            Some(safe_until) if *safe_until.borrow() <= Instant::now() => {
                Err(StoreError::Unavailable("the process could not renew its lease in time".to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// Waits until turns may be started.
    pub(super) async fn until_held(&self) {
        let Some(safe_until) = self.safe_until.get() else { return };
        // The sender lives as long as this.
        let _ = safe_until.subscribe().wait_for(|until| Instant::now() < *until).await;
    }

    /// Takes a lease over that was asked for at `asked_at`. Returns `true` if it is the first one that ends by time.
    fn hold(&self, asked_at: Instant, length: Duration) -> bool {
        // The rest of the lease is for what a turn does before its first boundary.
        let until = asked_at + length * 4 / 5;
        let mut is_first = false;
        let safe_until = self.safe_until.get_or_init(|| {
            is_first = true;
            watch::Sender::new(until)
        });
        safe_until.send_replace(until);
        is_first
    }
}

impl TurnService {
    /// Registers the worker. Returns `true` if its lease ends by time; then it is renewed from now on.
    pub(super) async fn hold_lease(&self, worker: &WorkerId) -> Result<bool, StoreError> {
        let lease = &self.inner.lease;
        if lease.is_timed() {
            return Ok(true);
        }
        let asked_at = Instant::now();
        let Lease::Timed(length) = self.inner.parts.store.register(worker).await? else { return Ok(false) };
        if lease.hold(asked_at, length) {
            // Not one of the service's tasks: it ends after the last of them.
            lease.keeper.spawn(keep(Arc::downgrade(&self.inner), length));
        }
        Ok(true)
    }

    /// Takes over what dead workers left, claims turns for the free slots and raises stops. Returns how many turns were
    /// taken up. A worker that is closed, or whose lease is in doubt, takes none.
    pub(super) async fn sweep_and_claim(&self) -> Result<usize, StoreError> {
        let sweep = self.sweep();
        let Swept { stops, suspects } = self.inner.parts.store.sweep(&sweep).await?;
        for (turn, reason) in stops {
            // A turn whose run has not begun yet is named by the next sweep too.
            if !self.turns().stop(turn, reason) {
                self.turns().forget_stop(turn);
            }
        }
        if self.inner.closing.is_cancelled() || self.inner.lease.check().is_err() {
            return Ok(0);
        }
        let suspects = self.take_up_suspects(suspects).await;
        let free = self.inner.slots.available_permits();
        if free == 0 {
            return Ok(suspects);
        }
        let taken = self.claim_oldest(&sweep, free).await?;
        for (turn, error) in taken.failed {
            tracing::error!(%turn, %error, "could not take up the turn");
        }
        Ok(suspects + taken.started)
    }

    async fn renew(&self) -> Result<Duration, StoreError> {
        let asked_at = Instant::now();
        let lease = self.inner.parts.store.renew(&self.inner.parts.worker).await?;
        // A store does not change how its leases end.
        let Lease::Timed(length) = lease else { return Ok(Duration::MAX) };
        self.inner.lease.hold(asked_at, length);
        Ok(length)
    }

    /// The worker is not registered any more, so others have its turns: what runs here writes nothing and ends.
    fn give_up(&self) {
        tracing::error!("the lease of this process is over and its turns were taken over: it must be started anew");
        // First, so that no chore is cancelled in the store: others have them.
        self.inner.halt.cancel();
        self.close();
    }
}

/// Keeps the lease until the service is closed and has let go of its turns, or is dropped.
async fn keep(service: Weak<Inner>, length: Duration) {
    let Some(tasks) = service.upgrade().map(|inner| inner.tasks.clone()) else { return };
    let is_lost = tokio::select! {
        biased;
        () = tasks.wait() => false,
        () = renew_until_lost(&service, length) => true,
        () = sweep_until_lost(&service) => true,
    };
    if let Some(inner) = service.upgrade().filter(|_| is_lost) {
        TurnService { inner }.give_up();
    }
}

/// Renews the lease until the worker is not registered any more, or the service is dropped.
async fn renew_until_lost(service: &Weak<Inner>, length: Duration) {
    let mut pause = length / 3;
    loop {
        sleep(pause).await;
        let Some(inner) = service.upgrade() else { return };
        pause = match (TurnService { inner }).renew().await {
            Ok(length) => length / 3,
            Err(StoreError::Fenced) => return,
            Err(error) => {
                tracing::warn!(%error, "could not renew the lease");
                pause.min(TRIED_AGAIN_AFTER)
            }
        };
    }
}

/// Sweeps until the worker is not registered any more, or the service is dropped.
async fn sweep_until_lost(service: &Weak<Inner>) {
    loop {
        sleep(SWEPT_EVERY).await;
        let Some(inner) = service.upgrade() else { return };
        // Counted among the tasks, so that what was claimed is also started.
        let _task = inner.tasks.token();
        match (TurnService { inner }).sweep_and_claim().await {
            Err(StoreError::Fenced) => return,
            Err(error) => tracing::warn!(%error, "could not look for turns of other workers"),
            Ok(_) => {}
        }
    }
}
