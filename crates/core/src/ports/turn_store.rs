//! Storage of turns.

use super::{BoxFuture, GrantStore, WaitList, WaitPage, WorkerStore};
use crate::{
    AcceptOutcome, CancelOutcome, Checkpoint, CheckpointOutcome, Claim, ClaimedTurn, Consumption, Day, Grant, History,
    Idempotency, LoggedTurn, NewTurn, PartialSave, Release, Repeat, Resolution, ResolveOutcome, Scope, SessionId,
    SteeringMessage, StopReason,
};
use crate::{
    ExpiryOutcome, StoreError, StoredTurn, Sweep, TenantId, Timestamp, TurnId, TurnRecord, Usage, Wait, WaitId,
};

/// The data that [`TurnStore::delete_expired`] deleted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeletedData {
    /// The number of turns whose logs were deleted.
    pub turns: u64,
    /// The ephemeral sessions that were deleted.
    pub sessions: Vec<SessionId>,
}

/// Stores turns, their messages and their logs. Every method is one transaction: it is complete and durable, or has no
/// effect.
///
/// There are three kinds of access. A [`Scope`] lets a request read turns and submit requests. A [`Claim`] lets the
/// owner of a turn write it. A [`Sweep`], together with [`WorkerStore`], does maintenance on behalf of a worker. The
/// conformance suite of `turnkit-testkit` checks implementations.
pub trait TurnStore: WorkerStore + GrantStore {
    /// Stores a turn with its input and the first event of its log. Claims the turn if its session is idle.
    ///
    /// # Errors
    /// `NotFound` for an unknown session. `Conflict` for a busy session, a full queue, a reused key, or a turn to
    /// continue that has not ended or is not in the session. `Fenced` if the worker is no longer registered. Otherwise
    /// storage failed.
    fn accept<'a>(&'a self, scope: &'a Scope, accept: NewTurn) -> BoxFuture<'a, Result<AcceptOutcome, StoreError>>;

    /// Returns the result that [`accept`](Self::accept) would repeat: the turn that a request with this key started, if
    /// any.
    ///
    /// # Errors
    /// `Conflict` if the key belongs to another request; otherwise storage failed.
    fn find_accepted<'a>(
        &'a self,
        scope: &'a Scope,
        used: &'a Idempotency,
    ) -> BoxFuture<'a, Result<Option<Repeat>, StoreError>>;

    /// Writes a boundary of a claimed turn. If the turn ends, the next turn of the session is claimed and all pending
    /// waits of the ended turn are decided. After a checkpoint of a waiting turn, the claim is void, unless the
    /// resolutions are returned with it.
    ///
    /// # Errors
    /// `Fenced` if another worker owns the turn; otherwise storage failed.
    fn checkpoint<'a>(
        &'a self,
        claim: &'a Claim,
        checkpoint: Checkpoint,
    ) -> BoxFuture<'a, Result<CheckpointOutcome, StoreError>>;

    /// Saves text of an incomplete answer of a claimed turn. Earlier saves are never rewritten. A checkpoint with
    /// [`removes_partials`](Checkpoint::removes_partials) deletes all saves of the turn.
    ///
    /// # Errors
    /// `Fenced` if the turn has ended or another worker owns it; otherwise storage failed.
    fn save_partial<'a>(&'a self, claim: &'a Claim, partial: PartialSave) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Requests that a turn stop. A turn that has not started ends at once. A waiting turn has no owner: it becomes
    /// claimable, its next owner ends it, and its waits count as denied. The first reason is kept.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn request_stop<'a>(
        &'a self,
        scope: &'a Scope,
        turn: TurnId,
        reason: StopReason,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<CancelOutcome, StoreError>>;

    /// Claims an unfinished turn without an owner. Returns `None` if the turn has ended, waits, has an owner, or is
    /// queued behind another turn.
    ///
    /// # Errors
    /// `Fenced` if the worker is no longer registered; otherwise storage failed.
    fn claim<'a>(
        &'a self,
        sweep: &'a Sweep,
        turn: TurnId,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<Option<ClaimedTurn>, StoreError>>;

    /// Records that a turn without an owner is suspended for now. If the process dies before the turn is claimed, the
    /// turn's blame for earlier deaths is cleared.
    ///
    /// # Errors
    /// Storage failed.
    fn suspend<'a>(&'a self, sweep: &'a Sweep, turn: TurnId) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Releases an unfinished turn whose owner is alive but cannot continue, so that it can be claimed. Afterwards the
    /// claim is void. Releasing twice has no further effect.
    ///
    /// # Errors
    /// `Fenced` if the turn has ended or another worker owns it; otherwise storage failed.
    fn release<'a>(&'a self, claim: &'a Claim, why: Release) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Returns the steering messages for a claimed turn at the head of its session's queue, in order, up to the first
    /// other message. A checkpoint adds them to the turn and names them in [`steered`](Checkpoint::steered).
    ///
    /// # Errors
    /// `Fenced` if another worker owns the turn; otherwise storage failed.
    fn steering<'a>(&'a self, claim: &'a Claim) -> BoxFuture<'a, Result<Vec<SteeringMessage>, StoreError>>;

    /// Returns the state that the owner needs to continue the turn.
    ///
    /// # Errors
    /// `Fenced` if another worker owns the turn; otherwise storage failed.
    fn load<'a>(&'a self, claim: &'a Claim) -> BoxFuture<'a, Result<StoredTurn, StoreError>>;

    /// Returns the messages before those of the turn, as the model is sent them. Messages that a summary leaves out are
    /// not read.
    ///
    /// # Errors
    /// `Fenced` if another worker owns the turn; otherwise storage failed.
    fn history<'a>(&'a self, claim: &'a Claim) -> BoxFuture<'a, Result<History, StoreError>>;

    /// Returns the record of a turn.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn turn<'a>(&'a self, scope: &'a Scope, turn: TurnId) -> BoxFuture<'a, Result<TurnRecord, StoreError>>;

    /// Returns the stored log of a turn, with its messages.
    ///
    /// # Errors
    /// `NotFound`, also once the log has been removed; otherwise storage failed.
    fn log<'a>(&'a self, scope: &'a Scope, turn: TurnId) -> BoxFuture<'a, Result<LoggedTurn, StoreError>>;

    /// Returns a pending or decided wait of a turn, as long as the turn's log is kept.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn wait<'a>(&'a self, scope: &'a Scope, wait: WaitId) -> BoxFuture<'a, Result<Wait, StoreError>>;

    /// Returns pending and decided waits of the turns in this scope.
    ///
    /// # Errors
    /// `NotFound` for an unknown session or turn; otherwise storage failed.
    fn waits<'a>(&'a self, scope: &'a Scope, page: WaitPage) -> BoxFuture<'a, Result<WaitList, StoreError>>;

    /// Stores the resolution of a wait, unless the wait was decided before, has expired by `at`, or its turn has ended
    /// or is to stop. After the last resolution that a turn waits for, the turn can be claimed. If the resolution takes
    /// effect, `grant` is stored with it. If the scope already has a grant for the same calls, the existing one is
    /// kept; it also holds after untrusted text if either of the two does.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn resolve<'a>(
        &'a self,
        scope: &'a Scope,
        wait: WaitId,
        resolution: Resolution,
        grant: Option<Grant>,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<ResolveOutcome, StoreError>>;

    /// Denies every pending wait that has expired by `at`. If storage fails after some of them were denied, returns
    /// their sessions and the turns that can be claimed, with `at` as the next expiry.
    ///
    /// # Errors
    /// Storage failed.
    fn expire<'a>(&'a self, sweep: &'a Sweep, at: Timestamp) -> BoxFuture<'a, Result<ExpiryOutcome, StoreError>>;

    /// Returns the consumption in this scope from day `from` to day `to`, both included, ordered by day, agent,
    /// provider and model. It is read from stored sums, so the cost does not grow with the number of turns.
    ///
    /// # Errors
    /// Storage failed.
    fn consumed<'a>(
        &'a self,
        scope: &'a Scope,
        from: Day,
        to: Day,
    ) -> BoxFuture<'a, Result<Vec<Consumption>, StoreError>>;

    /// Returns the [`consumed`](Self::consumed) rows of each user of a tenant, ordered by user. For callers that may
    /// see the consumption of all users.
    ///
    /// # Errors
    /// Storage failed.
    fn consumed_by_users<'a>(
        &'a self,
        tenant: &'a TenantId,
        from: Day,
        to: Day,
    ) -> BoxFuture<'a, Result<Vec<Consumption>, StoreError>>;

    /// Returns the sum of [`consumed`](Self::consumed). A store may compute it more efficiently, because it is read
    /// before model calls if users have budgets. The sum may have a floating-point rounding error and is capped at the
    /// largest value that the store can hold.
    ///
    /// # Errors
    /// Storage failed.
    fn total_consumed<'a>(&'a self, scope: &'a Scope, from: Day, to: Day) -> BoxFuture<'a, Result<Usage, StoreError>> {
        Box::pin(async move {
            let mut usage = Usage::default();
            self.consumed(scope, from, to).await?.iter().for_each(|row| usage.add(&row.usage));
            Ok(usage)
        })
    }

    /// Deletes the logs of turns that ended before `before`, idempotency keys used before it, and ephemeral sessions
    /// ([`SessionKey::Ephemeral`](crate::SessionKey)) whose last turn ended before it. Also deletes the remaining data
    /// of sessions whose removal was interrupted.
    ///
    /// From then on, the record of a turn whose log is deleted has the [`outline`](crate::TurnView::outline) of the
    /// log, as far as [`LogOutline::to_json`](crate::LogOutline::to_json) keeps it.
    ///
    /// # Errors
    /// Storage failed.
    fn delete_expired<'a>(
        &'a self,
        sweep: &'a Sweep,
        before: Timestamp,
    ) -> BoxFuture<'a, Result<DeletedData, StoreError>>;

    /// Returns the error of the last write, if it failed. Returns `None` as soon as a write succeeds.
    fn write_failure(&self) -> Option<StoreError> {
        None
    }

    /// Writes a small record and removes it again, to test whether writes succeed.
    ///
    /// # Errors
    /// Writes fail, with the reason.
    fn try_writing(&self) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(std::future::ready(self.write_failure().map_or(Ok(()), Err)))
    }

    /// Tries to write if the last write failed. Otherwise a process that gets no more requests, because it reports the
    /// failure, would never detect that storage works again.
    ///
    /// # Errors
    /// Writes still fail, with the reason.
    fn retry_writing(&self) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(std::future::ready(self.write_failure().map_or(Ok(()), Err)))
    }
}
