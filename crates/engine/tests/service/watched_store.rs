//! A store that a test looks over the shoulder of: it counts, waits and fails where it is told to.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use turnkit_core::ports::{BoxFuture, Forgotten, Store, TurnStore, WorkerStore};
use turnkit_core::{
    Accept, Accepted, CancelOutcome, Checkpoint, Checkpointed, Claim, Claimed, ClaimedTurns, Consumption, Day, History,
    Idempotency, Lease, LoggedTurn, Release, Repeat, Scope, StopReason, StoreError, StoredTurn, Sweep, Swept, TenantId,
    Timestamp, TurnId, TurnRecord, Usage, WorkerId,
};
use turnkit_testkit::Gate;

/// Passes everything on to the store inside.
pub(crate) struct WatchedStore {
    pub(crate) inner: Arc<dyn Store>,
    counts: Mutex<BTreeMap<&'static str, usize>>,
    faults: Mutex<Vec<Fault>>,
    /// Calls that have begun and are not answered.
    open: AtomicUsize,
}

struct Fault {
    method: &'static str,
    /// Which call of the method, from 1.
    nth: usize,
    kind: FaultKind,
}

enum FaultKind {
    Error(StoreError),
    WaitBefore(Gate),
    WaitAfter(Gate),
}

impl WatchedStore {
    pub(crate) fn around(inner: Arc<dyn Store>) -> Self {
        Self { inner, counts: Mutex::default(), faults: Mutex::default(), open: AtomicUsize::new(0) }
    }

    /// The `nth` call of `method` fails and does nothing.
    pub(crate) fn fails(&self, method: &'static str, nth: usize, error: StoreError) {
        self.faults.lock().unwrap().push(Fault { method, nth, kind: FaultKind::Error(error) });
    }

    /// The `nth` call of `method` waits at the gate before it does anything.
    pub(crate) fn waits_before(&self, method: &'static str, nth: usize, gate: &Gate) {
        self.faults.lock().unwrap().push(Fault { method, nth, kind: FaultKind::WaitBefore(gate.clone()) });
    }

    /// The `nth` call of `method` waits at the gate when it has done its work, before anyone knows.
    pub(crate) fn waits_after(&self, method: &'static str, nth: usize, gate: &Gate) {
        self.faults.lock().unwrap().push(Fault { method, nth, kind: FaultKind::WaitAfter(gate.clone()) });
    }

    /// How often each method was called that was.
    pub(crate) fn counts(&self) -> BTreeMap<&'static str, usize> {
        self.counts.lock().unwrap().clone()
    }

    /// How often a method was called.
    pub(crate) fn count(&self, method: &'static str) -> usize {
        self.counts.lock().unwrap().get(method).copied().unwrap_or_default()
    }

    /// Whether every call that was made is answered.
    pub(crate) fn is_idle(&self) -> bool {
        self.open.load(Ordering::SeqCst) == 0
    }

    pub(crate) async fn watch<T>(
        &self,
        method: &'static str,
        work: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let nth = {
            let mut counts = self.counts.lock().unwrap();
            let count = counts.entry(method).or_default();
            *count += 1;
            *count
        };
        self.open.fetch_add(1, Ordering::SeqCst);
        let _answered = Answered(&self.open);
        let fault = {
            let mut faults = self.faults.lock().unwrap();
            let place = faults.iter().position(|fault| fault.method == method && fault.nth == nth);
            place.map(|place| faults.remove(place).kind)
        };
        match fault {
            Some(FaultKind::Error(error)) => Err(error),
            Some(FaultKind::WaitBefore(gate)) => {
                gate.pass().await;
                work.await
            }
            Some(FaultKind::WaitAfter(gate)) => {
                let done = work.await;
                gate.pass().await;
                done
            }
            None => work.await,
        }
    }
}

/// A call is answered, or nobody waits for that any more.
struct Answered<'a>(&'a AtomicUsize);

impl Drop for Answered<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl WorkerStore for WatchedStore {
    fn register<'a>(&'a self, worker: &'a WorkerId) -> BoxFuture<'a, Result<Lease, StoreError>> {
        Box::pin(self.watch("register", self.inner.register(worker)))
    }

    fn renew<'a>(&'a self, worker: &'a WorkerId) -> BoxFuture<'a, Result<Lease, StoreError>> {
        Box::pin(self.watch("renew", self.inner.renew(worker)))
    }

    fn sweep<'a>(&'a self, sweep: &'a Sweep) -> BoxFuture<'a, Result<Swept, StoreError>> {
        Box::pin(self.watch("sweep", self.inner.sweep(sweep)))
    }

    /// Each turn counts as a `claim`. One that is to fail is released again.
    fn claim_oldest<'a>(
        &'a self,
        sweep: &'a Sweep,
        most: usize,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<ClaimedTurns, StoreError>> {
        Box::pin(async move {
            let ClaimedTurns { claimed, mut failed } = self.inner.claim_oldest(sweep, most, at).await?;
            let mut kept = Vec::new();
            for claimed in claimed {
                match self.watch("claim", std::future::ready(Ok(()))).await {
                    Ok(()) => kept.push(claimed),
                    Err(error) => {
                        self.inner.release(&claimed.claim, Release::HandedOver).await?;
                        failed.push((claimed.claim.turn(), error));
                    }
                }
            }
            Ok(ClaimedTurns { claimed: kept, failed })
        })
    }
}

impl TurnStore for WatchedStore {
    fn accept<'a>(&'a self, scope: &'a Scope, accept: Accept) -> BoxFuture<'a, Result<Accepted, StoreError>> {
        Box::pin(self.watch("accept", self.inner.accept(scope, accept)))
    }

    fn accepted_with<'a>(
        &'a self,
        scope: &'a Scope,
        used: &'a Idempotency,
    ) -> BoxFuture<'a, Result<Option<Repeat>, StoreError>> {
        Box::pin(self.watch("accepted_with", self.inner.accepted_with(scope, used)))
    }

    fn checkpoint<'a>(
        &'a self,
        claim: &'a Claim,
        checkpoint: Checkpoint,
    ) -> BoxFuture<'a, Result<Checkpointed, StoreError>> {
        Box::pin(self.watch("checkpoint", self.inner.checkpoint(claim, checkpoint)))
    }

    fn request_stop<'a>(
        &'a self,
        scope: &'a Scope,
        turn: TurnId,
        reason: StopReason,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<CancelOutcome, StoreError>> {
        Box::pin(self.watch("request_stop", self.inner.request_stop(scope, turn, reason, at)))
    }

    fn claim<'a>(
        &'a self,
        sweep: &'a Sweep,
        turn: TurnId,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<Option<Claimed>, StoreError>> {
        Box::pin(self.watch("claim", self.inner.claim(sweep, turn, at)))
    }

    fn suspend<'a>(&'a self, sweep: &'a Sweep, turn: TurnId) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(self.watch("suspend", self.inner.suspend(sweep, turn)))
    }

    fn release<'a>(&'a self, claim: &'a Claim, why: Release) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(self.watch("release", self.inner.release(claim, why)))
    }

    fn load<'a>(&'a self, claim: &'a Claim) -> BoxFuture<'a, Result<StoredTurn, StoreError>> {
        Box::pin(self.watch("load", self.inner.load(claim)))
    }

    fn history<'a>(&'a self, claim: &'a Claim) -> BoxFuture<'a, Result<History, StoreError>> {
        Box::pin(self.watch("history", self.inner.history(claim)))
    }

    fn turn<'a>(&'a self, scope: &'a Scope, turn: TurnId) -> BoxFuture<'a, Result<TurnRecord, StoreError>> {
        Box::pin(self.watch("turn", self.inner.turn(scope, turn)))
    }

    fn log<'a>(&'a self, scope: &'a Scope, turn: TurnId) -> BoxFuture<'a, Result<LoggedTurn, StoreError>> {
        Box::pin(self.watch("log", self.inner.log(scope, turn)))
    }

    fn consumed<'a>(
        &'a self,
        scope: &'a Scope,
        from: Day,
        to: Day,
    ) -> BoxFuture<'a, Result<Vec<Consumption>, StoreError>> {
        Box::pin(self.watch("consumed", self.inner.consumed(scope, from, to)))
    }

    fn consumed_by_users<'a>(
        &'a self,
        tenant: &'a TenantId,
        from: Day,
        to: Day,
    ) -> BoxFuture<'a, Result<Vec<Consumption>, StoreError>> {
        Box::pin(self.watch("consumed_by_users", self.inner.consumed_by_users(tenant, from, to)))
    }

    fn consumed_in_all<'a>(&'a self, scope: &'a Scope, from: Day, to: Day) -> BoxFuture<'a, Result<Usage, StoreError>> {
        Box::pin(self.watch("consumed", self.inner.consumed_in_all(scope, from, to)))
    }

    fn forget<'a>(&'a self, sweep: &'a Sweep, before: Timestamp) -> BoxFuture<'a, Result<Forgotten, StoreError>> {
        Box::pin(self.watch("forget", self.inner.forget(sweep, before)))
    }
}
