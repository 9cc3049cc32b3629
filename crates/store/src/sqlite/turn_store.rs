//! The turn operations of the store.

use std::future::ready;
use std::sync::Arc;

use turnkit_core::ports::{BoxFuture, DeletedData, TurnStore, WaitList, WaitPage};
use turnkit_core::{
    AcceptOutcome, CancelOutcome, Checkpoint, CheckpointOutcome, Claim, ClaimedTurn, Consumption, Day, ExpiryOutcome,
    Grant, History, Idempotency, LoggedTurn, NewTurn, PartialSave, Release, Repeat, Resolution, ResolveOutcome, Scope,
    SteeringMessage, StopReason, StoreError, StoredTurn, Sweep, TenantId, Timestamp, TurnId, TurnRecord, Usage, Wait,
    WaitId,
};

use super::accept::{TurnInsert, find_accepted};
use super::checkpoint::CheckpointWrite;
use super::job::JobKind;
use super::partials::NewPartial;
use super::search_index::{SLICE, is_behind_by};
use super::stop::StopRequest;
use super::waits::{self, Answer};
use super::{SqliteStore, claim, consumption, deaths, expired, health, log, steering, turn_list, wait_list};

impl TurnStore for SqliteStore {
    fn accept<'a>(&'a self, scope: &'a Scope, accept: NewTurn) -> BoxFuture<'a, Result<AcceptOutcome, StoreError>> {
        // Boxed before it is moved from the future to the job and to the thread.
        if let Err(error) = self.leases.check(&accept.worker) {
            return Box::pin(ready(Err(error)));
        }
        match TurnInsert::new(scope, accept).map(Box::new) {
            Ok(turn) => self.write(JobKind::Accept, move |connection| turn.store(connection)),
            Err(error) => Box::pin(ready(Err(error))),
        }
    }

    fn find_accepted<'a>(
        &'a self,
        scope: &'a Scope,
        used: &'a Idempotency,
    ) -> BoxFuture<'a, Result<Option<Repeat>, StoreError>> {
        let (scope, used) = (scope.clone(), used.clone());
        self.read(move |connection| find_accepted(connection, &scope, &used))
    }

    fn checkpoint<'a>(
        &'a self,
        claim: &'a Claim,
        checkpoint: Checkpoint,
    ) -> BoxFuture<'a, Result<CheckpointOutcome, StoreError>> {
        Box::pin(async move {
            let (boundary, days) = (CheckpointWrite::new(claim, checkpoint)?, Arc::clone(&self.days));
            self.write(JobKind::Checkpoint, move |connection| boundary.store(connection, &days)).await
        })
    }

    fn save_partial<'a>(&'a self, claim: &'a Claim, partial: PartialSave) -> BoxFuture<'a, Result<(), StoreError>> {
        match NewPartial::new(claim, partial) {
            Ok(partial) => self.write(JobKind::Other, move |connection| partial.store(connection)),
            Err(error) => Box::pin(ready(Err(error))),
        }
    }

    fn request_stop<'a>(
        &'a self,
        scope: &'a Scope,
        turn: TurnId,
        reason: StopReason,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<CancelOutcome, StoreError>> {
        let request = StopRequest { scope: scope.clone(), turn, reason, at };
        self.write(JobKind::Other, move |connection| request.store(connection))
    }

    fn claim<'a>(
        &'a self,
        sweep: &'a Sweep,
        turn: TurnId,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<Option<ClaimedTurn>, StoreError>> {
        Box::pin(async move {
            let worker = sweep.worker().clone();
            self.leases.check(&worker)?;
            self.write(JobKind::Other, move |connection| claim::claim(connection, &worker, turn, at)).await
        })
    }

    fn suspend<'a>(&'a self, _: &'a Sweep, turn: TurnId) -> BoxFuture<'a, Result<(), StoreError>> {
        self.write(JobKind::Other, move |connection| deaths::suspend(connection, turn))
    }

    fn release<'a>(&'a self, claim: &'a Claim, why: Release) -> BoxFuture<'a, Result<(), StoreError>> {
        let claim = claim.clone();
        self.write(JobKind::Other, move |connection| claim::release(connection, &claim, why))
    }

    fn steering<'a>(&'a self, claim: &'a Claim) -> BoxFuture<'a, Result<Vec<SteeringMessage>, StoreError>> {
        let claim = claim.clone();
        self.read(move |connection| steering::messages(connection, &claim))
    }

    fn load<'a>(&'a self, claim: &'a Claim) -> BoxFuture<'a, Result<StoredTurn, StoreError>> {
        let claim = claim.clone();
        self.read(move |connection| log::load(connection, &claim))
    }

    fn history<'a>(&'a self, claim: &'a Claim) -> BoxFuture<'a, Result<History, StoreError>> {
        let claim = claim.clone();
        self.read(move |connection| log::history(connection, &claim))
    }

    fn turn<'a>(&'a self, scope: &'a Scope, turn: TurnId) -> BoxFuture<'a, Result<TurnRecord, StoreError>> {
        let scope = scope.clone();
        self.read(move |connection| turn_list::one(connection, &scope, turn))
    }

    fn log<'a>(&'a self, scope: &'a Scope, turn: TurnId) -> BoxFuture<'a, Result<LoggedTurn, StoreError>> {
        let scope = scope.clone();
        self.read(move |connection| log::log(connection, &scope, turn))
    }

    fn wait<'a>(&'a self, scope: &'a Scope, wait: WaitId) -> BoxFuture<'a, Result<Wait, StoreError>> {
        let scope = scope.clone();
        self.read(move |connection| wait_list::one(connection, &scope, wait))
    }

    fn waits<'a>(&'a self, scope: &'a Scope, page: WaitPage) -> BoxFuture<'a, Result<WaitList, StoreError>> {
        let scope = scope.clone();
        self.read(move |connection| wait_list::page(connection, &scope, &page))
    }

    fn resolve<'a>(
        &'a self,
        scope: &'a Scope,
        wait: WaitId,
        resolution: Resolution,
        grant: Option<Grant>,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<ResolveOutcome, StoreError>> {
        match Answer::new(scope, wait, resolution, grant, at) {
            Ok(answer) => self.write(JobKind::Other, move |connection| answer.store(connection)),
            Err(error) => Box::pin(ready(Err(error))),
        }
    }

    fn expire<'a>(&'a self, _: &'a Sweep, at: Timestamp) -> BoxFuture<'a, Result<ExpiryOutcome, StoreError>> {
        Box::pin(async move {
            let mut expired = ExpiryOutcome::default();
            loop {
                let slice = async {
                    let next = self.read(waits::next_expiry).await?;
                    if next.is_none_or(|next| next > at) {
                        return Ok((next, None));
                    }
                    Ok((next, Some(self.write(JobKind::Other, move |connection| waits::expire(connection, at)).await?)))
                };
                match slice.await {
                    Ok((next, None)) => return Ok(ExpiryOutcome { next, ..expired }),
                    Ok((_, Some(slice))) => {
                        expired.ready.extend(slice.ready);
                        expired.sessions.extend(slice.sessions);
                    }
                    Err(error) if expired == ExpiryOutcome::default() => return Err(error),
                    // The waits of the earlier slices are denied. The remaining ones are still due.
                    Err(_) => return Ok(ExpiryOutcome { next: Some(at), ..expired }),
                }
            }
        })
    }

    fn consumed<'a>(
        &'a self,
        scope: &'a Scope,
        from: Day,
        to: Day,
    ) -> BoxFuture<'a, Result<Vec<Consumption>, StoreError>> {
        let scope = scope.clone();
        self.read(move |connection| consumption::consumed(connection, &scope, from, to))
    }

    fn consumed_by_users<'a>(
        &'a self,
        tenant: &'a TenantId,
        from: Day,
        to: Day,
    ) -> BoxFuture<'a, Result<Vec<Consumption>, StoreError>> {
        let tenant = tenant.clone();
        self.read(move |connection| consumption::consumed_by_users(connection, &tenant, from, to))
    }

    fn total_consumed<'a>(&'a self, scope: &'a Scope, from: Day, to: Day) -> BoxFuture<'a, Result<Usage, StoreError>> {
        let scope = scope.clone();
        self.read(move |connection| consumption::total_consumed(connection, &scope, from, to))
    }

    fn write_failure(&self) -> Option<StoreError> {
        self.health.failure()
    }

    fn try_writing(&self) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move {
            self.write(JobKind::Other, health::write_trial).await?;
            self.write(JobKind::Other, health::remove_trial).await
        })
    }

    fn retry_writing(&self) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move {
            let Some(failure) = self.health.failure() else { return Ok(()) };
            match self.health.begin_trial() {
                Some(_trial) => self.try_writing().await,
                None => Err(failure),
            }
        })
    }

    fn delete_expired<'a>(&'a self, _: &'a Sweep, before: Timestamp) -> BoxFuture<'a, Result<DeletedData, StoreError>> {
        Box::pin(async move {
            let (mut deleted, mut last) = (DeletedData::default(), 0);
            loop {
                let turns = self.read(move |connection| expired::candidates(connection, before, last)).await?;
                let Some(end) = turns.last() else { break };
                last = end.turn;
                deleted.turns +=
                    self.write(JobKind::Other, move |connection| expired::delete_logs(connection, &turns)).await?;
            }
            while self.write(JobKind::Other, move |connection| expired::delete_old_keys(connection, before)).await? {}
            let mut last = (i64::MIN, 0);
            loop {
                let sessions = self.read(move |connection| expired::ephemeral(connection, before, last)).await?;
                let Some(end) = sessions.last() else { break };
                last = *end;
                let removed = self
                    .write(JobKind::Other, move |connection| expired::remove(connection, before, &sessions))
                    .await?;
                deleted.sessions.extend(removed);
            }
            self.remove_remains().await?;
            // If they are few, the next search adds the turns.
            self.index_turns(|connection| is_behind_by(connection, SLICE)).await?;
            Ok(deleted)
        })
    }
}
