//! Bugs that the oracle must find. They are planted in front of the store, so that no code of the product holds them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use clap::ValueEnum;
use turnkit_core::ports::Store;
use turnkit_core::{
    CallState, Checkpoint, Checkpointed, Claim, Claimed, ClaimedTurns, StoreError, Sweep, Timestamp, TurnId,
};

use crate::{InterceptedStore, StoreCall, StoreInterceptor};

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
pub(super) fn mutated(store: Arc<dyn Store>, mutant: Mutant) -> Arc<dyn Store> {
    Arc::new(InterceptedStore::around(store, Arc::new(Mutation { mutant, state: Mutex::default() })))
}

/// Gets calls of a store wrong.
struct Mutation {
    mutant: Mutant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The newest claim of each turn that was taken over.
    claims: HashMap<TurnId, Claim>,
    /// Checkpoints that were said to be written.
    late: HashMap<TurnId, Checkpoint>,
}

impl Mutation {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The claim of the turn's present owner, whichever worker asks.
    fn renewed(&self, claim: &Claim) -> Claim {
        self.lock().claims.get(&claim.turn()).unwrap_or(claim).clone()
    }

    async fn write_late(
        &self,
        store: &dyn Store,
        claim: &Claim,
        checkpoint: Checkpoint,
    ) -> Result<Checkpointed, StoreError> {
        let starts = checkpoint.calls.iter().any(|call| call.state == CallState::Started);
        if starts {
            self.lock().late.insert(claim.turn(), checkpoint);
            return Ok(Checkpointed::committed());
        }
        let late = self.lock().late.remove(&claim.turn());
        if let Some(late) = late {
            let written = store.checkpoint(claim, late).await?;
            if matches!(written, Checkpointed::StopFirst(_)) {
                return Ok(written);
            }
        }
        store.checkpoint(claim, checkpoint).await
    }
}

impl StoreInterceptor for Mutation {
    fn checkpoint<'a>(
        &'a self,
        store: &'a dyn Store,
        claim: &'a Claim,
        checkpoint: Checkpoint,
    ) -> StoreCall<'a, Checkpointed> {
        Box::pin(async move {
            match self.mutant {
                Mutant::NoFence => store.checkpoint(&self.renewed(claim), checkpoint).await,
                Mutant::EffectFirst => self.write_late(store, claim, checkpoint).await,
            }
        })
    }

    fn claim<'a>(
        &'a self,
        store: &'a dyn Store,
        sweep: &'a Sweep,
        turn: TurnId,
        at: Timestamp,
    ) -> StoreCall<'a, Option<Claimed>> {
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
}
