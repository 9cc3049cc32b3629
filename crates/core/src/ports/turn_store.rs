//! Where turns are kept.

use super::{BoxFuture, GrantStore, WaitList, WaitPage, WorkerStore};
use crate::{
    Accept, Accepted, CancelOutcome, Checkpoint, Checkpointed, Claim, Claimed, Consumption, Day, Grant, History,
    Idempotency, LoggedTurn, PartialSave, Release, Repeat, Resolution, Resolved, Scope, SessionId, SteeringMessage,
    StopReason,
};
use crate::{Expired, StoreError, StoredTurn, Sweep, TenantId, Timestamp, TurnId, TurnRecord, Usage, Wait, WaitId};

/// What [`TurnStore::forget`] removed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Forgotten {
    /// How many turns lost their log.
    pub turns: u64,
    /// Sessions of one turn alone that are gone.
    pub sessions: Vec<SessionId>,
}

/// Keeps turns, their messages and their log. Every method is one transaction: done and durable, or not done.
///
/// It has three doors. A [`Scope`] lets a request read and ask; a [`Claim`] lets the owner of a turn write; a [`Sweep`]
/// does maintenance in the name of a worker, with [`WorkerStore`]. An implementation is held to this by the conformance suite
/// of `turnkit-testkit`.
pub trait TurnStore: WorkerStore + GrantStore {
    /// Stores a turn with its input and the first event of its log, and claims it if its session is idle.
    ///
    /// # Errors
    /// `NotFound` for an unknown session, `Conflict` for a busy session, a full queue, a reused key, or a turn to continue
    /// that is not over or not of the session, `Fenced` if the worker is not registered any more; otherwise storage failed.
    fn accept<'a>(&'a self, scope: &'a Scope, accept: Accept) -> BoxFuture<'a, Result<Accepted, StoreError>>;

    /// What [`accept`](Self::accept) would repeat: the turn that this key started, if there is one.
    ///
    /// # Errors
    /// `Conflict` if the key belongs to another request; otherwise storage failed.
    fn accepted_with<'a>(
        &'a self,
        scope: &'a Scope,
        used: &'a Idempotency,
    ) -> BoxFuture<'a, Result<Option<Repeat>, StoreError>>;

    /// Writes a boundary of a claimed turn. At its end the next turn of the session is claimed, and nothing of the turn is
    /// left to decide. After a checkpoint that says the turn waits, the claim is worth nothing any more, unless the
    /// decisions come back with it.
    ///
    /// # Errors
    /// `Fenced` if another worker owns the turn now; otherwise storage failed.
    fn checkpoint<'a>(
        &'a self,
        claim: &'a Claim,
        checkpoint: Checkpoint,
    ) -> BoxFuture<'a, Result<Checkpointed, StoreError>>;

    /// Saves text of an incomplete answer of a claimed turn. Earlier saves are never rewritten. A checkpoint with
    /// [`removes_partials`](Checkpoint::removes_partials) deletes all saves of the turn.
    ///
    /// # Errors
    /// `Fenced` if the turn is over or another worker owns it now; otherwise storage failed.
    fn save_partial<'a>(&'a self, claim: &'a Claim, partial: PartialSave) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Asks that a turn stop. One that has not started ends at once. One that waits has no owner: it can be claimed from
    /// now on, and whoever claims it ends it. What it waits for counts as denied. The first reason stays.
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

    /// Claims a turn that is not over and has no owner. `None` if it is over, waits, has an owner, or is queued behind
    /// another.
    ///
    /// # Errors
    /// `Fenced` if the worker is not registered any more; otherwise storage failed.
    fn claim<'a>(
        &'a self,
        sweep: &'a Sweep,
        turn: TurnId,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<Option<Claimed>, StoreError>>;

    /// Notes that a turn which nobody owns is left alone for now. If the process dies before the turn is claimed, its blame
    /// for earlier deaths is cleared.
    ///
    /// # Errors
    /// Storage failed.
    fn suspend<'a>(&'a self, sweep: &'a Sweep, turn: TurnId) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Releases a turn that is not over, so that it can be claimed: its owner lives and cannot continue. The claim is void
    /// afterwards; releasing twice is the same as once.
    ///
    /// # Errors
    /// `Fenced` if the turn is over or somebody else owns it now; otherwise storage failed.
    fn release<'a>(&'a self, claim: &'a Claim, why: Release) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Returns the messages for a claimed turn that its session's queue begins with, in order: those that no other message
    /// precedes. A checkpoint adds them to the turn and names them in [`steered`](Checkpoint::steered).
    ///
    /// # Errors
    /// `Fenced` if another worker owns the turn now; otherwise storage failed.
    fn steering<'a>(&'a self, claim: &'a Claim) -> BoxFuture<'a, Result<Vec<SteeringMessage>, StoreError>>;

    /// What the owner needs to continue the turn.
    ///
    /// # Errors
    /// `Fenced` if another worker owns the turn now; otherwise storage failed.
    fn load<'a>(&'a self, claim: &'a Claim) -> BoxFuture<'a, Result<StoredTurn, StoreError>>;

    /// The messages before the turn's own that the model is sent. A store does not read those that a summary leaves out.
    ///
    /// # Errors
    /// `Fenced` if another worker owns the turn now; otherwise storage failed.
    fn history<'a>(&'a self, claim: &'a Claim) -> BoxFuture<'a, Result<History, StoreError>>;

    /// One turn.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn turn<'a>(&'a self, scope: &'a Scope, turn: TurnId) -> BoxFuture<'a, Result<TurnRecord, StoreError>>;

    /// The stored log of a turn, with its messages.
    ///
    /// # Errors
    /// `NotFound`, also once the log has been swept away; otherwise storage failed.
    fn log<'a>(&'a self, scope: &'a Scope, turn: TurnId) -> BoxFuture<'a, Result<LoggedTurn, StoreError>>;

    /// Returns what a turn waits or waited for, as long as the log of the turn is kept.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn wait<'a>(&'a self, scope: &'a Scope, wait: WaitId) -> BoxFuture<'a, Result<Wait, StoreError>>;

    /// Returns what turns of an owner wait or waited for.
    ///
    /// # Errors
    /// `NotFound` for an unknown session or turn; otherwise storage failed.
    fn waits<'a>(&'a self, scope: &'a Scope, page: WaitPage) -> BoxFuture<'a, Result<WaitList, StoreError>>;

    /// Stores how a wait is decided, unless it was decided before, expired by `at`, or its turn is over or to stop. After the
    /// last decision that a turn waits for, the turn can be claimed. With a decision that counts, `grant` is stored too. If the
    /// owner has one about the same calls, that one stays, and counts after text from outside if either does.
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
    ) -> BoxFuture<'a, Result<Resolved, StoreError>>;

    /// Denies every pending wait that has expired by `at`. If storage fails after some of them were denied, returns the turns
    /// that can be claimed, with `at` as the next expiry.
    ///
    /// # Errors
    /// Storage failed.
    fn expire<'a>(&'a self, sweep: &'a Sweep, at: Timestamp) -> BoxFuture<'a, Result<Expired, StoreError>>;

    /// What an owner consumed from day `from` to day `to`, both included, in the order of days, agents, providers and
    /// models. Read from sums: it does not grow with the number of turns.
    ///
    /// # Errors
    /// Storage failed.
    fn consumed<'a>(
        &'a self,
        scope: &'a Scope,
        from: Day,
        to: Day,
    ) -> BoxFuture<'a, Result<Vec<Consumption>, StoreError>>;

    /// What [`consumed`](Self::consumed) says of each user of a tenant, in the order of users. It is for those who may know
    /// what everybody consumes.
    ///
    /// # Errors
    /// Storage failed.
    fn consumed_by_users<'a>(
        &'a self,
        tenant: &'a TenantId,
        from: Day,
        to: Day,
    ) -> BoxFuture<'a, Result<Vec<Consumption>, StoreError>>;

    /// The sum of [`consumed`](Self::consumed), which a store may know better how to make: it is read before model calls
    /// wherever users have budgets. It may be off by what a float cannot tell, and is no more than a store can hold.
    ///
    /// # Errors
    /// Storage failed.
    fn consumed_in_all<'a>(&'a self, scope: &'a Scope, from: Day, to: Day) -> BoxFuture<'a, Result<Usage, StoreError>> {
        Box::pin(async move {
            let mut usage = Usage::default();
            self.consumed(scope, from, to).await?.iter().for_each(|row| usage.add(&row.usage));
            Ok(usage)
        })
    }

    /// Forgets the logs of turns that ended before `before`, idempotency keys used before it, and sessions of one turn alone
    /// ([`SessionKey::Ephemeral`](crate::SessionKey)) whose last turn ended before it; and
    /// what is left of sessions whose removal was interrupted.
    ///
    /// # Errors
    /// Storage failed.
    fn forget<'a>(&'a self, sweep: &'a Sweep, before: Timestamp) -> BoxFuture<'a, Result<Forgotten, StoreError>>;

    /// The failure of the last write, if it failed. `None` again as soon as a write succeeds.
    fn write_failure(&self) -> Option<StoreError> {
        None
    }

    /// Writes a little and removes it again, to see whether writes succeed.
    ///
    /// # Errors
    /// Writes fail, and why.
    fn try_writing(&self) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(std::future::ready(self.write_failure().map_or(Ok(()), Err)))
    }

    /// Tries to write if the last write failed. Without this, a process that gets no more requests because it reports the
    /// failure would never find out that storage works again.
    ///
    /// # Errors
    /// Writes still fail, and why.
    fn retry_writing(&self) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(std::future::ready(self.write_failure().map_or(Ok(()), Err)))
    }
}
