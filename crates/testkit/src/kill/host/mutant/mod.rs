//! Bugs that the oracle must find. They are planted in front of the store, so that no code of the product holds them.

mod sessions;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use clap::ValueEnum;
use turnkit_core::ports::{BoxFuture, Forgotten, Store, TurnStore, WorkerStore};
use turnkit_core::{
    Accept, Accepted, CallState, CancelOutcome, Checkpoint, Checkpointed, Claim, Claimed, ClaimedTurns, Consumption,
    Day, History, Idempotency, Lease, LoggedTurn, Release, Repeat, Scope, StopReason, StoreError, StoredTurn, Sweep,
    Swept, TenantId, Timestamp, TurnId, TurnRecord, Usage, WorkerId,
};

/// A bug.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Mutant {
    /// Whoever once owned a turn may write it.
    NoFence,
    /// Calls run before the checkpoint that says they were started has been written.
    EffectFirst,
}

impl std::fmt::Display for Mutant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NoFence => "no-fence",
            Self::EffectFirst => "effect-first",
        })
    }
}

/// A store with a bug.
pub(super) struct Mutated {
    pub(super) store: Arc<dyn Store>,
    pub(super) mutant: Mutant,
    pub(super) state: Mutex<State>,
}

#[derive(Default)]
pub(super) struct State {
    /// The newest claim of each turn that was taken over.
    claims: HashMap<TurnId, Claim>,
    /// Checkpoints that were said to be written.
    late: HashMap<TurnId, Checkpoint>,
}

impl Mutated {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The claim of the turn's present owner, whichever worker asks.
    fn renewed(&self, claim: &Claim) -> Claim {
        self.lock().claims.get(&claim.turn()).unwrap_or(claim).clone()
    }

    async fn write_late(&self, claim: &Claim, checkpoint: Checkpoint) -> Result<Checkpointed, StoreError> {
        let starts = checkpoint.calls.iter().any(|call| call.state == CallState::Started);
        if starts {
            self.lock().late.insert(claim.turn(), checkpoint);
            return Ok(Checkpointed::Committed { next: None });
        }
        let late = self.lock().late.remove(&claim.turn());
        if let Some(late) = late {
            let written = self.store.checkpoint(claim, late).await?;
            if matches!(written, Checkpointed::StopFirst(_)) {
                return Ok(written);
            }
        }
        self.store.checkpoint(claim, checkpoint).await
    }
}

impl WorkerStore for Mutated {
    fn register<'a>(&'a self, worker: &'a WorkerId) -> BoxFuture<'a, Result<Lease, StoreError>> {
        self.store.register(worker)
    }

    fn renew<'a>(&'a self, worker: &'a WorkerId) -> BoxFuture<'a, Result<Lease, StoreError>> {
        self.store.renew(worker)
    }

    fn sweep<'a>(&'a self, sweep: &'a Sweep) -> BoxFuture<'a, Result<Swept, StoreError>> {
        self.store.sweep(sweep)
    }

    fn claim_oldest<'a>(
        &'a self,
        sweep: &'a Sweep,
        most: usize,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<ClaimedTurns, StoreError>> {
        Box::pin(async move {
            let turns = self.store.claim_oldest(sweep, most, at).await?;
            let claims = turns.claimed.iter().map(|claimed| (claimed.claim.turn(), claimed.claim.clone()));
            self.lock().claims.extend(claims);
            Ok(turns)
        })
    }
}

impl TurnStore for Mutated {
    fn checkpoint<'a>(
        &'a self,
        claim: &'a Claim,
        checkpoint: Checkpoint,
    ) -> BoxFuture<'a, Result<Checkpointed, StoreError>> {
        Box::pin(async move {
            match self.mutant {
                Mutant::NoFence => self.store.checkpoint(&self.renewed(claim), checkpoint).await,
                Mutant::EffectFirst => self.write_late(claim, checkpoint).await,
            }
        })
    }

    fn claim<'a>(
        &'a self,
        sweep: &'a Sweep,
        turn: TurnId,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<Option<Claimed>, StoreError>> {
        Box::pin(async move {
            let claimed = self.store.claim(sweep, turn, at).await?;
            if let Some(claimed) = &claimed {
                self.lock().claims.insert(turn, claimed.claim.clone());
            }
            Ok(claimed)
        })
    }

    fn accept<'a>(&'a self, scope: &'a Scope, accept: Accept) -> BoxFuture<'a, Result<Accepted, StoreError>> {
        self.store.accept(scope, accept)
    }

    fn accepted_with<'a>(
        &'a self,
        scope: &'a Scope,
        used: &'a Idempotency,
    ) -> BoxFuture<'a, Result<Option<Repeat>, StoreError>> {
        self.store.accepted_with(scope, used)
    }

    fn suspend<'a>(&'a self, sweep: &'a Sweep, turn: TurnId) -> BoxFuture<'a, Result<(), StoreError>> {
        self.store.suspend(sweep, turn)
    }

    fn release<'a>(&'a self, claim: &'a Claim, why: Release) -> BoxFuture<'a, Result<(), StoreError>> {
        self.store.release(claim, why)
    }

    fn request_stop<'a>(
        &'a self,
        scope: &'a Scope,
        turn: TurnId,
        reason: StopReason,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<CancelOutcome, StoreError>> {
        self.store.request_stop(scope, turn, reason, at)
    }

    fn load<'a>(&'a self, claim: &'a Claim) -> BoxFuture<'a, Result<StoredTurn, StoreError>> {
        self.store.load(claim)
    }

    fn history<'a>(&'a self, claim: &'a Claim) -> BoxFuture<'a, Result<History, StoreError>> {
        self.store.history(claim)
    }

    fn turn<'a>(&'a self, scope: &'a Scope, turn: TurnId) -> BoxFuture<'a, Result<TurnRecord, StoreError>> {
        self.store.turn(scope, turn)
    }

    fn log<'a>(&'a self, scope: &'a Scope, turn: TurnId) -> BoxFuture<'a, Result<LoggedTurn, StoreError>> {
        self.store.log(scope, turn)
    }

    fn consumed<'a>(
        &'a self,
        scope: &'a Scope,
        from: Day,
        to: Day,
    ) -> BoxFuture<'a, Result<Vec<Consumption>, StoreError>> {
        self.store.consumed(scope, from, to)
    }

    fn consumed_by_users<'a>(
        &'a self,
        tenant: &'a TenantId,
        from: Day,
        to: Day,
    ) -> BoxFuture<'a, Result<Vec<Consumption>, StoreError>> {
        self.store.consumed_by_users(tenant, from, to)
    }

    fn consumed_in_all<'a>(&'a self, scope: &'a Scope, from: Day, to: Day) -> BoxFuture<'a, Result<Usage, StoreError>> {
        self.store.consumed_in_all(scope, from, to)
    }

    fn forget<'a>(&'a self, sweep: &'a Sweep, before: Timestamp) -> BoxFuture<'a, Result<Forgotten, StoreError>> {
        self.store.forget(sweep, before)
    }
}
