//! Bugs that the oracle must find. They are planted in front of the store, so the product's code contains none of them.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use clap::ValueEnum;
use turnkit_core::ports::{Store, WaitPage};
use turnkit_core::{
    CallState, Checkpoint, CheckpointOutcome, Claim, ClaimedTurn, ClaimedTurns, Grant, Resolution, ResolveOutcome,
    Scope, StoreError, Sweep, Timestamp, TurnId, WaitId,
};

use crate::{InterceptedStore, StoreCall, StoreInterceptor};

/// A bug to plant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Mutant {
    /// Any former owner of a turn may write it.
    NoFence,
    /// Calls run before the checkpoint that records their start is written.
    EffectFirst,
    /// A decision is acknowledged before it is stored. It is stored with the last decision its turn waits for.
    AnswerFirst,
}

impl std::fmt::Display for Mutant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NoFence => "no-fence",
            Self::EffectFirst => "effect-first",
            Self::AnswerFirst => "answer-first",
        })
    }
}

/// Wraps a store with a bug.
pub(super) fn mutated(store: Arc<dyn Store>, mutant: Mutant) -> Arc<dyn Store> {
    Arc::new(InterceptedStore::around(store, Arc::new(Mutation { mutant, state: Mutex::default() })))
}

/// Intercepts calls of the store to produce the bug.
struct Mutation {
    mutant: Mutant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The newest claim of each turn that was taken over.
    claims: HashMap<TurnId, Claim>,
    /// Checkpoints that were acknowledged but not written.
    late: HashMap<TurnId, Checkpoint>,
    /// Decisions that were acknowledged but not written.
    decisions: BTreeMap<WaitId, Resolution>,
}

impl Mutation {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the claim of the turn's current owner, whichever worker asks.
    fn renewed(&self, claim: &Claim) -> Claim {
        self.lock().claims.get(&claim.turn()).unwrap_or(claim).clone()
    }

    async fn write_late(
        &self,
        store: &dyn Store,
        claim: &Claim,
        checkpoint: Checkpoint,
    ) -> Result<CheckpointOutcome, StoreError> {
        let starts = checkpoint.calls.iter().any(|call| call.state == CallState::Started);
        if starts {
            self.lock().late.insert(claim.turn(), checkpoint);
            return Ok(CheckpointOutcome::committed());
        }
        let late = self.lock().late.remove(&claim.turn());
        if let Some(late) = late {
            let written = store.checkpoint(claim, late).await?;
            if matches!(written, CheckpointOutcome::StopFirst(_)) {
                return Ok(written);
            }
        }
        store.checkpoint(claim, checkpoint).await
    }

    /// Stores all decisions of a turn together, once the last one has arrived.
    async fn resolve_together(
        &self,
        store: &dyn Store,
        scope: &Scope,
        wait: WaitId,
        resolution: Resolution,
        at: Timestamp,
    ) -> Result<ResolveOutcome, StoreError> {
        let turn = wait.call.turn;
        let page = WaitPage { session: None, turn: Some(turn), below: false, pending: true, limit: 100, after: None };
        let pending = store.waits(scope, page).await?.waits;
        let decided = {
            let decisions = &mut self.lock().decisions;
            decisions.insert(wait, resolution.clone());
            if pending.iter().any(|wait| !decisions.contains_key(&wait.id)) {
                return Ok(ResolveOutcome::Decided { ready: false });
            }
            decisions.clone()
        };
        for (earlier, resolution) in decided.into_iter().filter(|(id, _)| *id != wait && id.call.turn == turn) {
            store.resolve(scope, earlier, resolution, None, at).await?;
        }
        store.resolve(scope, wait, resolution, None, at).await
    }
}

impl StoreInterceptor for Mutation {
    fn checkpoint<'a>(
        &'a self,
        store: &'a dyn Store,
        claim: &'a Claim,
        checkpoint: Checkpoint,
    ) -> StoreCall<'a, CheckpointOutcome> {
        Box::pin(async move {
            match self.mutant {
                Mutant::NoFence => store.checkpoint(&self.renewed(claim), checkpoint).await,
                Mutant::EffectFirst => self.write_late(store, claim, checkpoint).await,
                Mutant::AnswerFirst => store.checkpoint(claim, checkpoint).await,
            }
        })
    }

    fn claim<'a>(
        &'a self,
        store: &'a dyn Store,
        sweep: &'a Sweep,
        turn: TurnId,
        at: Timestamp,
    ) -> StoreCall<'a, Option<ClaimedTurn>> {
        Box::pin(async move {
            let claimed = store.claim(sweep, turn, at).await?;
            if let Some(claimed) = &claimed {
                self.lock().claims.insert(turn, claimed.claim.clone());
            }
            Ok(claimed)
        })
    }

    fn claim_oldest<'a>(
        &'a self,
        store: &'a dyn Store,
        sweep: &'a Sweep,
        most: usize,
        at: Timestamp,
    ) -> StoreCall<'a, ClaimedTurns> {
        Box::pin(async move {
            let turns = store.claim_oldest(sweep, most, at).await?;
            let claims = turns.claimed.iter().map(|claimed| (claimed.claim.turn(), claimed.claim.clone()));
            self.lock().claims.extend(claims);
            Ok(turns)
        })
    }

    fn resolve<'a>(
        &'a self,
        store: &'a dyn Store,
        scope: &'a Scope,
        wait: WaitId,
        resolution: Resolution,
        grant: Option<Grant>,
        at: Timestamp,
    ) -> StoreCall<'a, ResolveOutcome> {
        Box::pin(async move {
            match self.mutant {
                Mutant::AnswerFirst => self.resolve_together(store, scope, wait, resolution, at).await,
                Mutant::NoFence | Mutant::EffectFirst => store.resolve(scope, wait, resolution, grant, at).await,
            }
        })
    }
}
