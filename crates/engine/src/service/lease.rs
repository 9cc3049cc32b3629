//! The lease of one worker among several. The worker renews it in time, and takes over turns of dead workers while it
//! holds.

use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep};
use tokio_util::task::TaskTracker;
use turnkit_core::{Lease, StoreError, SweepOutcome, WorkerId};

use super::{Inner, TurnService};

/// How often a worker looks for turns of dead workers, for turns without an owner, and for stops that no signal
/// delivered.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);
/// The longest pause before a failed renewal is retried.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// The lease of this process, measured in monotonic time.
#[derive(Default)]
pub(super) struct HeldLease {
    /// Until when the process may start turns. Never set if the lease lasts as long as a lock.
    safe_until: OnceLock<watch::Sender<Instant>>,
    /// Runs the task that renews the lease.
    keeper: TaskTracker,
}

impl HeldLease {
    /// Reports whether other processes may own turns of this store.
    pub(super) fn is_timed(&self) -> bool {
        self.safe_until.get().is_some()
    }

    /// Returns an error if the lease may end before a new turn has begun.
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
        // The sender lives as long as `self`.
        let _ = safe_until.subscribe().wait_for(|until| Instant::now() < *until).await;
    }

    /// Records a lease that was requested at `asked_at`. Returns `true` if it is the first timed lease.
    fn hold(&self, asked_at: Instant, length: Duration) -> bool {
        // The last fifth of the lease is reserved for what a turn does before its first boundary.
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
    /// Registers the worker. Returns `true` if its lease is timed; the lease is then renewed from now on.
    pub(super) async fn hold_lease(&self, worker: &WorkerId) -> Result<bool, StoreError> {
        let lease = &self.inner.lease;
        if lease.is_timed() {
            return Ok(true);
        }
        let asked_at = Instant::now();
        let Lease::Timed(length) = self.inner.parts.store.register(worker).await? else { return Ok(false) };
        if lease.hold(asked_at, length) {
            // Not tracked among the service's tasks: it ends after the last of them.
            lease.keeper.spawn(keep(Arc::downgrade(&self.inner), length));
        }
        Ok(true)
    }

    /// Takes over turns of dead workers, claims turns for the free slots and signals requested stops. Returns how many
    /// turns were claimed or suspended. A worker that is closed, or whose lease is in doubt, claims none.
    pub(super) async fn sweep_and_claim(&self) -> Result<usize, StoreError> {
        let sweep = self.sweep();
        let SweepOutcome { stops, suspects } = self.inner.parts.store.sweep(&sweep).await?;
        for (turn, reason) in stops {
            // The next sweep also lists a turn whose run has not begun yet.
            if !self.turns().stop(turn, reason) {
                self.turns().forget_stop(turn);
            }
        }
        if self.inner.closing.is_cancelled() || self.inner.lease.check().is_err() {
            return Ok(0);
        }
        let suspects = self.claim_suspects(suspects).await;
        let free = self.inner.slots.available_permits();
        if free == 0 {
            return Ok(suspects);
        }
        let taken = self.claim_oldest(&sweep, free).await?;
        for (turn, error) in taken.failed {
            tracing::error!(%turn, %error, "could not resume the turn");
        }
        Ok(suspects + taken.started)
    }

    async fn renew(&self) -> Result<Duration, StoreError> {
        let asked_at = Instant::now();
        let lease = self.inner.parts.store.renew(&self.inner.parts.worker).await?;
        // The kind of lease that a store grants does not change.
        let Lease::Timed(length) = lease else { return Ok(Duration::MAX) };
        self.inner.lease.hold(asked_at, length);
        Ok(length)
    }

    /// Handles the loss of the worker's registration. Other workers own its turns, so runs in this process write
    /// nothing and end.
    fn give_up(&self) {
        tracing::error!("the lease of this process expired and its turns were taken over: restart the process");
        // First, so that no chore is cancelled in the store: other workers own the chores.
        self.inner.halt.cancel();
        self.close();
    }
}

/// Keeps the lease until the service is closed and its turns have ended or been handed over, or until it is dropped.
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
                pause.min(RETRY_DELAY)
            }
        };
    }
}

/// Sweeps until the worker is not registered any more, or the service is dropped.
async fn sweep_until_lost(service: &Weak<Inner>) {
    loop {
        sleep(SWEEP_INTERVAL).await;
        let Some(inner) = service.upgrade() else { return };
        // Counted among the tasks, so that a turn that was claimed is also started.
        let _task = inner.tasks.token();
        match (TurnService { inner }).sweep_and_claim().await {
            Err(StoreError::Fenced) => return,
            Err(error) => tracing::warn!(%error, "could not look for turns of other workers"),
            Ok(_) => {}
        }
    }
}
