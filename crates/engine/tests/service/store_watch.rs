//! Counts the calls of a store, and makes them wait or fail as a test requires.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use turnkit_core::ports::Store;
use turnkit_core::{ClaimedTurns, Release, StoreError, Sweep, Timestamp};
use turnkit_testkit::{Gate, StoreCall, StoreInterceptor};

/// Watches the calls of a store.
#[derive(Default)]
pub(crate) struct StoreWatch {
    counts: Mutex<BTreeMap<&'static str, usize>>,
    faults: Mutex<Vec<Fault>>,
    /// The number of calls in progress.
    open: AtomicUsize,
}

struct Fault {
    method: &'static str,
    /// The number of the call of the method, from 1.
    nth: usize,
    kind: FaultKind,
}

enum FaultKind {
    Error(StoreError),
    LostAnswer(StoreError),
    WaitBefore(Gate),
    WaitAfter(Gate),
}

impl StoreWatch {
    /// Makes the `nth` call of `method` fail without doing anything.
    pub(crate) fn fails(&self, method: &'static str, nth: usize, error: StoreError) {
        self.faults.lock().unwrap().push(Fault { method, nth, kind: FaultKind::Error(error) });
    }

    /// Makes the `nth` call of `method` do its work but fail nevertheless.
    pub(crate) fn loses_answer(&self, method: &'static str, nth: usize, error: StoreError) {
        self.faults.lock().unwrap().push(Fault { method, nth, kind: FaultKind::LostAnswer(error) });
    }

    /// Makes the `nth` call of `method` wait at the gate before it does anything.
    pub(crate) fn waits_before(&self, method: &'static str, nth: usize, gate: &Gate) {
        self.faults.lock().unwrap().push(Fault { method, nth, kind: FaultKind::WaitBefore(gate.clone()) });
    }

    /// Makes the `nth` call of `method` wait at the gate after its work, before it returns.
    pub(crate) fn waits_after(&self, method: &'static str, nth: usize, gate: &Gate) {
        self.faults.lock().unwrap().push(Fault { method, nth, kind: FaultKind::WaitAfter(gate.clone()) });
    }

    /// Returns the number of calls of each called method.
    pub(crate) fn counts(&self) -> BTreeMap<&'static str, usize> {
        self.counts.lock().unwrap().clone()
    }

    /// Returns the number of calls of a method.
    pub(crate) fn count(&self, method: &'static str) -> usize {
        self.counts.lock().unwrap().get(method).copied().unwrap_or_default()
    }

    /// Reports whether every call has been answered.
    pub(crate) fn is_idle(&self) -> bool {
        self.open.load(Ordering::SeqCst) == 0
    }

    async fn watch<T>(
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
        let _answered = OpenCallGuard(&self.open);
        let fault = {
            let mut faults = self.faults.lock().unwrap();
            let place = faults.iter().position(|fault| fault.method == method && fault.nth == nth);
            place.map(|place| faults.remove(place).kind)
        };
        match fault {
            Some(FaultKind::Error(error)) => Err(error),
            Some(FaultKind::LostAnswer(error)) => work.await.and(Err(error)),
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

/// Decrements the number of open calls when a call is answered or dropped.
struct OpenCallGuard<'a>(&'a AtomicUsize);

impl Drop for OpenCallGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl StoreInterceptor for StoreWatch {
    fn intercept<'a, T: Send + 'a>(&'a self, method: &'static str, call: StoreCall<'a, T>) -> StoreCall<'a, T> {
        Box::pin(self.watch(method, call))
    }

    /// Counts each turn as one call of `claim`. A turn whose claim is to fail is released again.
    fn claim_oldest<'a>(
        &'a self,
        store: &'a dyn Store,
        sweep: &'a Sweep,
        most: usize,
        at: Timestamp,
    ) -> StoreCall<'a, ClaimedTurns> {
        Box::pin(async move {
            let ClaimedTurns { claimed, mut failed } = store.claim_oldest(sweep, most, at).await?;
            let mut kept = Vec::new();
            for claimed in claimed {
                match self.watch("claim", std::future::ready(Ok(()))).await {
                    Ok(()) => kept.push(claimed),
                    Err(error) => {
                        store.release(&claimed.claim, Release::HandedOver).await?;
                        failed.push((claimed.claim.turn(), error));
                    }
                }
            }
            Ok(ClaimedTurns { claimed: kept, failed })
        })
    }
}
