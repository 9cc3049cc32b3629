//! A store in memory that says in the fewest words what a store must do, for tests that kill it thousands of times.
//!
//! The [`Disk`] outlives the process; a [`ModelStore`] is a process's way to it. A shared disk has several at once. On any
//! other, a process that lives on after another one has opened the disk has only its claims left, which the fence must stop.
//! Every operation pauses before and after its commit, where a test may let the process die, or the operation fail. With a
//! [`Flaw`] the store breaks one promise, to see whether a test would notice.

mod accepting;
mod blobs;
mod boundaries;
mod changes;
mod children;
mod consuming;
mod disk;
mod flaw;
mod forking;
mod granting;
mod keys;
mod looking;
mod ownership;
mod reading;
mod searching;
mod session_rows;
mod sessions;
mod waiting;
mod workers;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use turnkit_core::ports::{BoxFuture, Clock, Forgotten, TurnStore, WaitList, WaitPage};
use turnkit_core::{
    Accept, Accepted, CancelOutcome, Checkpoint, Checkpointed, Claim, Claimed, Consumption, Day, Entry, Expired, Grant,
    History, Idempotency, LoggedTurn, Part, PartialSave, Release, Repeat, Resolution, Resolved, Scope, SessionId,
    SteeringMessage, StopReason, StoreError, StoredTurn, Sweep, TenantId, Timestamp, TurnId, TurnRecord, Wait, WaitId,
    WorkerId,
};

use disk::Rows;
pub use flaw::Flaw;
use workers::LeaseTerms;

/// What outlives the process. Clones are the same disk.
#[derive(Debug, Clone, Default)]
pub struct Disk {
    rows: Arc<Mutex<Rows>>,
    leases: Option<LeaseTerms>,
}

/// Where an operation pauses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// Nothing is done yet. An error here is the operation's.
    BeforeCommit,
    /// It is done, and nobody knows. An error here is ignored: what is done is done.
    AfterCommit,
}

type Hook = dyn Fn(Pause) -> BoxFuture<'static, Result<(), StoreError>> + Send + Sync;

/// A process's way to a [`Disk`].
pub struct ModelStore {
    disk: Disk,
    /// Which opening of the disk this is.
    opening: u64,
    hook: Box<Hook>,
    flaw: Option<Flaw>,
    clock: Option<Arc<dyn Clock>>,
}

impl Disk {
    /// The turns on it, oldest first, each with its session and the log as it is stored.
    pub fn turns(&self) -> Vec<(TurnRecord, LoggedTurn)> {
        let rows = self.lock();
        rows.turns.iter().map(|turn| (rows.record(turn), rows.logged(turn))).collect()
    }

    /// Reports whether the lease of a worker is not over.
    pub fn has_lease(&self, worker: &WorkerId) -> bool {
        let now = self.leases.as_ref().map(|terms| terms.clock.now());
        let until = self.lock().workers.get(worker).map(|held| held.until);
        until.is_some_and(|until| now.is_some_and(|now| now < until))
    }

    /// Reports whether a worker has a lease that no sweep has ended.
    pub fn is_registered(&self, worker: &WorkerId) -> bool {
        self.lock().workers.contains_key(worker)
    }

    /// The first write of a turn by a worker that did not own it, if there was one.
    pub fn foreign_write(&self) -> Option<String> {
        self.lock().foreign_write.clone()
    }

    /// Whether a receipt says that this call was started.
    pub fn has_receipt(&self, uid: turnkit_core::CallUid) -> bool {
        self.lock().turns.iter().any(|turn| turn.calls.contains_key(&uid))
    }

    /// What turns wait or waited for, by what names it.
    pub fn waits(&self) -> BTreeMap<WaitId, Wait> {
        let rows = self.lock();
        let waits = rows.turns.iter().flat_map(|turn| turn.waits.iter());
        waits.map(|(id, row)| (*id, row.wait.clone())).collect()
    }

    /// Which session a turn belongs to, and its number there.
    pub fn place_of(&self, turn: TurnId) -> Option<(SessionId, u32)> {
        let rows = self.lock();
        rows.turns.iter().find(|row| row.id == turn).map(|row| (rows.sessions[row.session].session.id, row.number))
    }

    /// What the model of a turn is sent, whatever flaw a store has.
    pub fn sent(&self, turn: TurnId) -> Option<History> {
        let rows = self.lock();
        let row = rows.turns.iter().find(|row| row.id == turn)?;
        Some(rows.sent(row.session, Some(row.number)))
    }

    /// How many messages a turn has.
    pub fn messages_of(&self, turn: TurnId) -> usize {
        self.lock().turns.iter().find(|row| row.id == turn).map_or(0, |row| row.messages.len())
    }

    /// Reports whether anything is saved of an answer of a turn.
    pub fn has_partials(&self, turn: TurnId) -> bool {
        self.lock().turns.iter().any(|row| row.id == turn && !row.partials.is_empty())
    }

    /// What was acknowledged as saved of the answer to a step of a turn, or a later one.
    pub fn acknowledged_partial(&self, turn: TurnId, step: u16) -> Vec<Part> {
        let rows = self.lock();
        let row = rows.turns.iter().find(|row| row.id == turn);
        row.map(|row| PartialSave::said(&row.acknowledged_partials, step)).unwrap_or_default()
    }

    /// Why a turn was asked to stop, if it was.
    pub fn stop_of(&self, turn: TurnId) -> Option<StopReason> {
        self.lock().turns.iter().find(|row| row.id == turn).and_then(|row| row.stop)
    }

    /// Whether a turn began with this message.
    pub fn asks(&self, turn: TurnId, message: &Entry) -> bool {
        let rows = self.lock();
        let first = rows.turns.iter().find(|row| row.id == turn).and_then(|row| row.messages.first());
        first.is_some_and(|first| **first == *message)
    }

    /// A disk that several processes have at once. A worker owns its turns as long as its lease lasts, by `clock`.
    pub fn shared(clock: Arc<dyn Clock>, lease: Duration) -> Self {
        Self { rows: Arc::default(), leases: Some(LeaseTerms { clock, length: lease }) }
    }

    /// What a crash leaves: everything that was committed, without owners. Returns the number of this opening. On a
    /// shared disk, an opening says nothing about other processes.
    fn open(&self) -> u64 {
        let mut rows = self.lock();
        if self.leases.is_some() {
            return rows.openings;
        }
        if let Some(kept) = rows.unsynced.take() {
            *rows = *kept;
        }
        rows.record_death();
        rows.openings += 1;
        rows.openings
    }

    fn lock(&self) -> MutexGuard<'_, Rows> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ModelStore {
    /// Opens the disk; one that is not shared, after the process that used it has died.
    pub fn open(disk: &Disk) -> Self {
        let opening = disk.open();
        let hook = |_| -> BoxFuture<'static, Result<(), StoreError>> {
            Box::pin(async {
                tokio::task::yield_now().await;
                Ok(())
            })
        };
        Self { disk: disk.clone(), opening, hook: Box::new(hook), flaw: None, clock: None }
    }

    /// The same with `hook` at each pause.
    #[must_use]
    pub fn pausing(
        self,
        hook: impl Fn(Pause) -> BoxFuture<'static, Result<(), StoreError>> + Send + Sync + 'static,
    ) -> Self {
        Self { hook: Box::new(hook), ..self }
    }

    /// The same with a promise broken.
    #[must_use]
    pub fn with_flaw(self, flaw: Option<Flaw>) -> Self {
        Self { flaw, ..self }
    }

    /// The same in a process that has a clock of its own. Only a store with a flaw looks at it.
    #[must_use]
    pub fn with_clock(self, clock: Arc<dyn Clock>) -> Self {
        Self { clock: Some(clock), ..self }
    }

    /// One transaction with its pauses.
    async fn commit<T>(
        &self,
        work: impl FnOnce(&mut Rows, Option<Flaw>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        (self.hook)(Pause::BeforeCommit).await?;
        let done = work(&mut self.disk.lock(), self.flaw);
        let _ = (self.hook)(Pause::AfterCommit).await;
        done
    }
}

impl ModelStore {
    /// One transaction of the process that has the disk.
    async fn commit_as_holder<T>(
        &self,
        work: impl FnOnce(&mut Rows, Option<Flaw>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let opening = self.opening;
        let held = move |rows: &mut Rows, flaw| {
            let taken = || StoreError::Unavailable("another process has the disk".to_owned());
            if rows.openings == opening { work(rows, flaw) } else { Err(taken()) }
        };
        self.commit(held).await
    }
}

impl TurnStore for ModelStore {
    fn accept<'a>(&'a self, scope: &'a Scope, accept: Accept) -> BoxFuture<'a, Result<Accepted, StoreError>> {
        Box::pin(async move {
            let key = accept.idempotency.clone().filter(|_| self.flaw == Some(Flaw::KeyAfterTurn));
            let worker = accept.worker.clone();
            let accepted = self.commit_as_holder(|rows, flaw| {
                self.check_registered(rows, &accept.worker)?;
                rows.accept(scope, accept, flaw)
            });
            let accepted = accepted.await?;
            if let (Some(key), Some(turn)) = (key, accepting::new_turn(&accepted)) {
                self.commit(|rows, _| rows.use_key(scope, &key, turn, &worker)).await?;
            }
            Ok(accepted)
        })
    }

    fn accepted_with<'a>(
        &'a self,
        scope: &'a Scope,
        used: &'a Idempotency,
    ) -> BoxFuture<'a, Result<Option<Repeat>, StoreError>> {
        Box::pin(self.commit(move |rows, _| rows.accepted_with(scope, used)))
    }

    fn checkpoint<'a>(
        &'a self,
        claim: &'a Claim,
        checkpoint: Checkpoint,
    ) -> BoxFuture<'a, Result<Checkpointed, StoreError>> {
        Box::pin(self.commit(move |rows, flaw| rows.checkpoint(claim, checkpoint, flaw)))
    }

    fn save_partial<'a>(&'a self, claim: &'a Claim, partial: PartialSave) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(self.commit(move |rows, flaw| rows.save_partial(claim, partial, flaw)))
    }

    fn request_stop<'a>(
        &'a self,
        scope: &'a Scope,
        turn: TurnId,
        reason: StopReason,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<CancelOutcome, StoreError>> {
        Box::pin(self.commit_as_holder(move |rows, flaw| rows.request_stop(scope, turn, reason, at, flaw)))
    }

    fn claim<'a>(
        &'a self,
        sweep: &'a Sweep,
        turn: TurnId,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<Option<Claimed>, StoreError>> {
        Box::pin(self.commit_as_holder(move |rows, flaw| {
            self.check_registered(rows, sweep.worker())?;
            Ok(rows.claim(sweep.worker(), turn, at, flaw))
        }))
    }

    fn suspend<'a>(&'a self, _: &'a Sweep, turn: TurnId) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(self.commit_as_holder(move |rows, _| {
            rows.suspend(turn);
            Ok(())
        }))
    }

    fn release<'a>(&'a self, claim: &'a Claim, why: Release) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(self.commit(move |rows, flaw| rows.release(claim, why, flaw)))
    }

    fn steering<'a>(&'a self, claim: &'a Claim) -> BoxFuture<'a, Result<Vec<SteeringMessage>, StoreError>> {
        Box::pin(self.commit(|rows, flaw| rows.steering_messages(claim, flaw)))
    }

    fn load<'a>(&'a self, claim: &'a Claim) -> BoxFuture<'a, Result<StoredTurn, StoreError>> {
        Box::pin(self.commit(|rows, flaw| rows.load(claim, flaw)))
    }

    fn history<'a>(&'a self, claim: &'a Claim) -> BoxFuture<'a, Result<History, StoreError>> {
        Box::pin(self.commit(|rows, flaw| rows.history(claim, flaw)))
    }

    fn turn<'a>(&'a self, scope: &'a Scope, turn: TurnId) -> BoxFuture<'a, Result<TurnRecord, StoreError>> {
        Box::pin(self.commit(move |rows, _| rows.of_owner(scope, turn).map(|turn| rows.record(turn))))
    }

    fn log<'a>(&'a self, scope: &'a Scope, turn: TurnId) -> BoxFuture<'a, Result<LoggedTurn, StoreError>> {
        Box::pin(self.commit(move |rows, _| rows.log(scope, turn)))
    }

    fn wait<'a>(&'a self, scope: &'a Scope, wait: WaitId) -> BoxFuture<'a, Result<Wait, StoreError>> {
        Box::pin(self.commit(move |rows, _| rows.wait(scope, wait)))
    }

    fn waits<'a>(&'a self, scope: &'a Scope, page: WaitPage) -> BoxFuture<'a, Result<WaitList, StoreError>> {
        Box::pin(self.commit(move |rows, _| rows.waits(scope, &page)))
    }

    fn resolve<'a>(
        &'a self,
        scope: &'a Scope,
        wait: WaitId,
        resolution: Resolution,
        grant: Option<Grant>,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<Resolved, StoreError>> {
        Box::pin(self.commit_as_holder(move |rows, flaw| rows.resolve(scope, wait, resolution, grant, at, flaw)))
    }

    fn expire<'a>(&'a self, _: &'a Sweep, at: Timestamp) -> BoxFuture<'a, Result<Expired, StoreError>> {
        Box::pin(self.commit_as_holder(move |rows, flaw| Ok(rows.expire(at, flaw))))
    }

    fn consumed<'a>(
        &'a self,
        scope: &'a Scope,
        from: Day,
        to: Day,
    ) -> BoxFuture<'a, Result<Vec<Consumption>, StoreError>> {
        Box::pin(self.commit(move |rows, _| Ok(rows.consumed(scope, from, to))))
    }

    fn consumed_by_users<'a>(
        &'a self,
        tenant: &'a TenantId,
        from: Day,
        to: Day,
    ) -> BoxFuture<'a, Result<Vec<Consumption>, StoreError>> {
        Box::pin(self.commit(move |rows, _| Ok(rows.consumed_by_users(tenant, from, to))))
    }

    fn forget<'a>(&'a self, _: &'a Sweep, before: Timestamp) -> BoxFuture<'a, Result<Forgotten, StoreError>> {
        Box::pin(self.commit(move |rows, _| Ok(rows.forget(before))))
    }
}
