//! Taking up turns whose owner died, or could not go on.

use std::time::Duration;

use turnkit_core::{Claim, Claimed, StoreError, Timestamp, TurnId};

use super::TurnService;
use super::worker::Broken;

/// The first pause before a turn that could not be saved is taken up again; it doubles up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// How long the log of a turn is kept after its end, in milliseconds.
const LOGS_KEPT_MS: i64 = 24 * 60 * 60 * 1000;

impl TurnService {
    /// Takes up every turn that an earlier process left unfinished. Gives how many.
    ///
    /// # Errors
    /// Storage failed; turns taken up before that run.
    pub async fn resume_unfinished(&self) -> Result<usize, StoreError> {
        let mut taken = 0;
        for turn in self.inner.parts.store.unfinished(&self.sweep()).await? {
            if let Some(claimed) = self.claim(turn).await? {
                self.start(Box::new(claimed), None, None);
                taken += 1;
            }
        }
        Ok(taken)
    }

    /// Forgets logs of turns that ended a day ago, and idempotency keys of that age; what was said stays. Gives how many
    /// turns. A server does this every hour, a short-lived program once.
    ///
    /// # Errors
    /// Storage failed.
    pub async fn forget_old(&self) -> Result<u64, StoreError> {
        let parts = &self.inner.parts;
        let before = Timestamp::from_millis(parts.clock.now().millis().saturating_sub(LOGS_KEPT_MS));
        parts.store.forget(&self.sweep(), before).await
    }

    /// Takes up one turn that nobody runs.
    pub(super) async fn take_up(&self, turn: TurnId) {
        match self.claim(turn).await {
            Ok(Some(claimed)) => self.start(Box::new(claimed), None, None),
            Ok(None) => {}
            Err(error) => {
                tracing::error!(%turn, %error, "could not take up the turn");
                self.retry(turn, None, None, FIRST_PAUSE);
            }
        }
    }

    /// Takes up a turn of this process that could not go on, as after the death of its owner: under a new fence, so that
    /// what it had shown and not saved is not taken for what follows. One that is `broken` is ended at once.
    pub(super) fn take_up_again(&self, claim: Claim, broken: Option<Broken>, pause: bool) {
        let first_pause = if pause { FIRST_PAUSE } else { Duration::ZERO };
        self.retry(claim.turn(), Some(claim), broken, first_pause);
    }

    /// Takes up the turn as soon as storage works.
    fn retry(&self, turn: TurnId, owned: Option<Claim>, broken: Option<Broken>, first_pause: Duration) {
        let service = self.clone();
        self.inner.tasks.spawn(async move {
            let mut pause = first_pause;
            loop {
                tokio::select! {
                    biased;
                    () = service.inner.halt.cancelled() => return,
                    () = tokio::time::sleep(pause) => {}
                }
                match service.reclaim(turn, owned.as_ref()).await {
                    Ok(Some(claimed)) => return service.start(Box::new(claimed), None, broken),
                    Ok(None) | Err(StoreError::Fenced) => return,
                    Err(_) => pause = (pause * 2).clamp(FIRST_PAUSE, LONGEST_PAUSE),
                }
            }
        });
    }

    async fn reclaim(&self, turn: TurnId, owned: Option<&Claim>) -> Result<Option<Claimed>, StoreError> {
        if let Some(claim) = owned {
            self.inner.parts.store.release(claim).await?;
        }
        self.claim(turn).await
    }

    async fn claim(&self, turn: TurnId) -> Result<Option<Claimed>, StoreError> {
        let parts = &self.inner.parts;
        parts.store.claim(&self.sweep(), turn, parts.clock.now()).await
    }
}
