//! A store in memory that expresses the required behaviour in as little code as possible, for tests that kill it
//! thousands of times.
//!
//! The [`Disk`] outlives the process; a [`ModelStore`] is the access of one process to it. A shared disk serves several
//! processes at once. On any other disk, a process that survives a later opening by another process keeps only its
//! claims, which the fence must reject. Every operation pauses before and after its commit, where a test may let the
//! process die or the operation fail. With a [`Flaw`] the store breaks one promise, to check that tests notice.

mod accepting;
mod blobs;
mod boundaries;
mod changes;
mod children;
mod disk;
mod flaw;
mod forking;
mod granting;
mod keys;
mod ownership;
mod pages;
mod pinning;
mod reading;
mod searching;
mod session_rows;
mod sessions;
mod usage;
mod waiting;
mod workers;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use turnkit_core::ports::{BoxFuture, Clock, DeletedData, TurnStore, WaitList, WaitPage};
use turnkit_core::{
    AcceptOutcome, CancelOutcome, Checkpoint, CheckpointOutcome, Claim, ClaimedTurn, Consumption, Day, Entry,
    ExpiryOutcome, Grant, History, Idempotency, LoggedTurn, NewTurn, Part, PartialSave, Release, Repeat, Resolution,
    ResolveOutcome, Scope, SessionId, SteeringMessage, StopReason, StoreError, StoredTurn, Sweep, TenantId, Timestamp,
    TurnId, TurnRecord, Wait, WaitId, WorkerId,
};

use disk::Rows;
pub use flaw::Flaw;
use workers::LeaseTerms;

/// The data that outlives a process. Clones share the disk.
#[derive(Debug, Clone, Default)]
pub struct Disk {
    rows: Arc<Mutex<Rows>>,
    leases: Option<LeaseTerms>,
}

/// A point at which an operation pauses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// Nothing has been done yet. An error here fails the operation.
    BeforeCommit,
    /// The operation is committed, and its caller does not know it yet. An error here is ignored, because the commit
    /// stands.
    AfterCommit,
}

type Hook = dyn Fn(Pause) -> BoxFuture<'static, Result<(), StoreError>> + Send + Sync;

/// The access of one process to a [`Disk`].
pub struct ModelStore {
    disk: Disk,
    /// The number of this opening of the disk.
    opening: u64,
    hook: Box<Hook>,
    flaw: Option<Flaw>,
    clock: Option<Arc<dyn Clock>>,
}

impl Disk {
    /// Returns all turns, oldest first, each with its session and its stored log.
    pub fn turns(&self) -> Vec<(TurnRecord, LoggedTurn)> {
        let rows = self.lock();
        rows.turns.iter().map(|turn| (rows.record(turn), rows.logged(turn))).collect()
    }

    /// Returns `true` if the lease of a worker has not expired.
    pub fn has_lease(&self, worker: &WorkerId) -> bool {
        let now = self.leases.as_ref().map(|terms| terms.clock.now());
        let until = self.lock().workers.get(worker).map(|held| held.until);
        until.is_some_and(|until| now.is_some_and(|now| now < until))
    }

    /// Returns `true` if a worker has a lease that no sweep has ended.
    pub fn is_registered(&self, worker: &WorkerId) -> bool {
        self.lock().workers.contains_key(worker)
    }

    /// Returns a description of the first write to a turn by a worker that did not own it, if there was one.
    pub fn foreign_write(&self) -> Option<String> {
        self.lock().foreign_write.clone()
    }

    /// Returns `true` if the store has a receipt that this call was started.
    pub fn has_receipt(&self, uid: turnkit_core::CallUid) -> bool {
        self.lock().turns.iter().any(|turn| turn.calls.contains_key(&uid))
    }

    /// Returns all waits, decided or not, by their ids.
    pub fn waits(&self) -> BTreeMap<WaitId, Wait> {
        let rows = self.lock();
        let waits = rows.turns.iter().flat_map(|turn| turn.waits.iter());
        waits.map(|(id, row)| (*id, row.wait.clone())).collect()
    }

    /// Returns the session of a turn, and the turn's number in it.
    pub fn place_of(&self, turn: TurnId) -> Option<(SessionId, u32)> {
        let rows = self.lock();
        rows.turns.iter().find(|row| row.id == turn).map(|row| (rows.sessions[row.session].session.id, row.number))
    }

    /// Returns the history that the model of a turn should be sent, regardless of any flaw of a store.
    pub fn model_history(&self, turn: TurnId) -> Option<History> {
        let rows = self.lock();
        let row = rows.turns.iter().find(|row| row.id == turn)?;
        Some(rows.model_history(row.session, Some(row.number)))
    }

    /// Returns the number of messages of a turn.
    pub fn messages_of(&self, turn: TurnId) -> usize {
        self.lock().turns.iter().find(|row| row.id == turn).map_or(0, |row| row.messages.len())
    }

    /// Returns `true` if the turn has partial saves.
    pub fn has_partials(&self, turn: TurnId) -> bool {
        self.lock().turns.iter().any(|row| row.id == turn && !row.partials.is_empty())
    }

    /// Returns the acknowledged partial saves of the answer to `step` of a turn, or to a later step.
    pub fn acknowledged_partial(&self, turn: TurnId, step: u16) -> Vec<Part> {
        let rows = self.lock();
        let row = rows.turns.iter().find(|row| row.id == turn);
        row.map(|row| PartialSave::reassemble(&row.acknowledged_partials, step)).unwrap_or_default()
    }

    /// Returns the reason for stopping a turn, if a stop was requested.
    pub fn stop_of(&self, turn: TurnId) -> Option<StopReason> {
        self.lock().turns.iter().find(|row| row.id == turn).and_then(|row| row.stop)
    }

    /// Returns `true` if a turn began with this message.
    pub fn begins_with(&self, turn: TurnId, message: &Entry) -> bool {
        let rows = self.lock();
        let first = rows.turns.iter().find(|row| row.id == turn).and_then(|row| row.messages.first());
        first.is_some_and(|first| **first == *message)
    }

    /// Creates a disk that several processes can use at once. A worker owns its turns while its lease lasts by `clock`.
    pub fn shared(clock: Arc<dyn Clock>, lease: Duration) -> Self {
        Self { rows: Arc::default(), leases: Some(LeaseTerms { clock, length: lease }) }
    }

    /// Opens the disk as after a crash: everything that was committed, without owners. Returns the number of this
    /// opening. On a shared disk, opening does not affect other processes.
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
    /// Opens the disk. If the disk is not shared, the process that used it before is taken for dead.
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

    /// Runs `hook` at each pause.
    #[must_use]
    pub fn pausing(
        self,
        hook: impl Fn(Pause) -> BoxFuture<'static, Result<(), StoreError>> + Send + Sync + 'static,
    ) -> Self {
        Self { hook: Box::new(hook), ..self }
    }

    /// Makes the store break a promise if `flaw` is set.
    #[must_use]
    pub fn with_flaw(self, flaw: Option<Flaw>) -> Self {
        Self { flaw, ..self }
    }

    /// Sets the clock of the process. Only a store with a flaw reads it.
    #[must_use]
    pub fn with_clock(self, clock: Arc<dyn Clock>) -> Self {
        Self { clock: Some(clock), ..self }
    }

    /// Runs one transaction with its pauses.
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
    /// Runs one transaction, which fails if another process has opened the disk since.
    async fn commit_as_holder<T>(
        &self,
        work: impl FnOnce(&mut Rows, Option<Flaw>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let opening = self.opening;
        let held = move |rows: &mut Rows, flaw| {
            let taken = || StoreError::Unavailable("another process has opened the disk".to_owned());
            if rows.openings == opening { work(rows, flaw) } else { Err(taken()) }
        };
        self.commit(held).await
    }
}

impl TurnStore for ModelStore {
    fn accept<'a>(&'a self, scope: &'a Scope, accept: NewTurn) -> BoxFuture<'a, Result<AcceptOutcome, StoreError>> {
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

    fn find_accepted<'a>(
        &'a self,
        scope: &'a Scope,
        used: &'a Idempotency,
    ) -> BoxFuture<'a, Result<Option<Repeat>, StoreError>> {
        Box::pin(self.commit(move |rows, _| rows.find_accepted(scope, used)))
    }

    fn checkpoint<'a>(
        &'a self,
        claim: &'a Claim,
        checkpoint: Checkpoint,
    ) -> BoxFuture<'a, Result<CheckpointOutcome, StoreError>> {
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
    ) -> BoxFuture<'a, Result<Option<ClaimedTurn>, StoreError>> {
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
        Box::pin(self.commit(move |rows, _| rows.of_user(scope, turn).map(|turn| rows.record(turn))))
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
    ) -> BoxFuture<'a, Result<ResolveOutcome, StoreError>> {
        Box::pin(self.commit_as_holder(move |rows, flaw| rows.resolve(scope, wait, resolution, grant, at, flaw)))
    }

    fn expire<'a>(&'a self, _: &'a Sweep, at: Timestamp) -> BoxFuture<'a, Result<ExpiryOutcome, StoreError>> {
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

    fn delete_expired<'a>(&'a self, _: &'a Sweep, before: Timestamp) -> BoxFuture<'a, Result<DeletedData, StoreError>> {
        Box::pin(self.commit(move |rows, _| Ok(rows.delete_expired(before))))
    }
}
