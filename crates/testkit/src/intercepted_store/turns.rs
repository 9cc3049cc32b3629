//! Intercepted calls about turns and workers.

use turnkit_core::ports::{DeletedData, TurnStore, WaitList, WaitPage, WorkerStore};
use turnkit_core::{
    AcceptOutcome, CancelOutcome, Checkpoint, CheckpointOutcome, Claim, ClaimedTurn, ClaimedTurns, Consumption, Day,
    ExpiryOutcome, Grant, History, Idempotency, Lease, LoggedTurn, NewTurn, PartialSave, Release, Repeat, Resolution,
    ResolveOutcome, Scope, SteeringMessage, StopReason, StoreError, StoredTurn, Sweep, SweepOutcome, TenantId,
    Timestamp, TurnId, TurnRecord, Usage, Wait, WaitId, WorkerId,
};

use super::{InterceptedStore, StoreCall, StoreInterceptor};

impl<I: StoreInterceptor> WorkerStore for InterceptedStore<I> {
    fn register<'a>(&'a self, worker: &'a WorkerId) -> StoreCall<'a, Lease> {
        self.interceptor.intercept("register", self.inner.register(worker))
    }

    fn renew<'a>(&'a self, worker: &'a WorkerId) -> StoreCall<'a, Lease> {
        self.interceptor.intercept("renew", self.inner.renew(worker))
    }

    fn sweep<'a>(&'a self, sweep: &'a Sweep) -> StoreCall<'a, SweepOutcome> {
        self.interceptor.intercept("sweep", self.inner.sweep(sweep))
    }

    fn claim_oldest<'a>(&'a self, sweep: &'a Sweep, most: usize, at: Timestamp) -> StoreCall<'a, ClaimedTurns> {
        self.interceptor.claim_oldest(&*self.inner, sweep, most, at)
    }
}

impl<I: StoreInterceptor> TurnStore for InterceptedStore<I> {
    fn checkpoint<'a>(&'a self, claim: &'a Claim, checkpoint: Checkpoint) -> StoreCall<'a, CheckpointOutcome> {
        self.interceptor.checkpoint(&*self.inner, claim, checkpoint)
    }

    fn claim<'a>(&'a self, sweep: &'a Sweep, turn: TurnId, at: Timestamp) -> StoreCall<'a, Option<ClaimedTurn>> {
        self.interceptor.claim(&*self.inner, sweep, turn, at)
    }

    fn save_partial<'a>(&'a self, claim: &'a Claim, partial: PartialSave) -> StoreCall<'a, ()> {
        self.interceptor.intercept("save_partial", self.inner.save_partial(claim, partial))
    }

    fn accept<'a>(&'a self, scope: &'a Scope, accept: NewTurn) -> StoreCall<'a, AcceptOutcome> {
        self.interceptor.intercept("accept", self.inner.accept(scope, accept))
    }

    fn find_accepted<'a>(&'a self, scope: &'a Scope, used: &'a Idempotency) -> StoreCall<'a, Option<Repeat>> {
        self.interceptor.intercept("find_accepted", self.inner.find_accepted(scope, used))
    }

    fn steering<'a>(&'a self, claim: &'a Claim) -> StoreCall<'a, Vec<SteeringMessage>> {
        self.interceptor.intercept("steering", self.inner.steering(claim))
    }

    fn suspend<'a>(&'a self, sweep: &'a Sweep, turn: TurnId) -> StoreCall<'a, ()> {
        self.interceptor.intercept("suspend", self.inner.suspend(sweep, turn))
    }

    fn release<'a>(&'a self, claim: &'a Claim, why: Release) -> StoreCall<'a, ()> {
        self.interceptor.intercept("release", self.inner.release(claim, why))
    }

    fn request_stop<'a>(
        &'a self,
        scope: &'a Scope,
        turn: TurnId,
        reason: StopReason,
        at: Timestamp,
    ) -> StoreCall<'a, CancelOutcome> {
        self.interceptor.intercept("request_stop", self.inner.request_stop(scope, turn, reason, at))
    }

    fn load<'a>(&'a self, claim: &'a Claim) -> StoreCall<'a, StoredTurn> {
        self.interceptor.intercept("load", self.inner.load(claim))
    }

    fn history<'a>(&'a self, claim: &'a Claim) -> StoreCall<'a, History> {
        self.interceptor.intercept("history", self.inner.history(claim))
    }

    fn turn<'a>(&'a self, scope: &'a Scope, turn: TurnId) -> StoreCall<'a, TurnRecord> {
        self.interceptor.intercept("turn", self.inner.turn(scope, turn))
    }

    fn log<'a>(&'a self, scope: &'a Scope, turn: TurnId) -> StoreCall<'a, LoggedTurn> {
        self.interceptor.intercept("log", self.inner.log(scope, turn))
    }

    fn wait<'a>(&'a self, scope: &'a Scope, wait: WaitId) -> StoreCall<'a, Wait> {
        self.interceptor.intercept("wait", self.inner.wait(scope, wait))
    }

    fn waits<'a>(&'a self, scope: &'a Scope, page: WaitPage) -> StoreCall<'a, WaitList> {
        self.interceptor.intercept("waits", self.inner.waits(scope, page))
    }

    fn resolve<'a>(
        &'a self,
        scope: &'a Scope,
        wait: WaitId,
        resolution: Resolution,
        grant: Option<Grant>,
        at: Timestamp,
    ) -> StoreCall<'a, ResolveOutcome> {
        self.interceptor.resolve(&*self.inner, scope, wait, resolution, grant, at)
    }

    fn expire<'a>(&'a self, sweep: &'a Sweep, at: Timestamp) -> StoreCall<'a, ExpiryOutcome> {
        self.interceptor.intercept("expire", self.inner.expire(sweep, at))
    }

    fn consumed<'a>(&'a self, scope: &'a Scope, from: Day, to: Day) -> StoreCall<'a, Vec<Consumption>> {
        self.interceptor.intercept("consumed", self.inner.consumed(scope, from, to))
    }

    fn consumed_by_users<'a>(&'a self, tenant: &'a TenantId, from: Day, to: Day) -> StoreCall<'a, Vec<Consumption>> {
        self.interceptor.intercept("consumed_by_users", self.inner.consumed_by_users(tenant, from, to))
    }

    fn total_consumed<'a>(&'a self, scope: &'a Scope, from: Day, to: Day) -> StoreCall<'a, Usage> {
        self.interceptor.intercept("total_consumed", self.inner.total_consumed(scope, from, to))
    }

    fn delete_expired<'a>(&'a self, sweep: &'a Sweep, before: Timestamp) -> StoreCall<'a, DeletedData> {
        self.interceptor.intercept("delete_expired", self.inner.delete_expired(sweep, before))
    }

    fn write_failure(&self) -> Option<StoreError> {
        self.inner.write_failure()
    }

    fn try_writing(&self) -> StoreCall<'_, ()> {
        self.interceptor.intercept("try_writing", self.inner.try_writing())
    }

    fn retry_writing(&self) -> StoreCall<'_, ()> {
        self.interceptor.intercept("retry_writing", self.inner.retry_writing())
    }
}
