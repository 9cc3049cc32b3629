//! Resuming turns whose owner died or could not continue.

use std::pin::pin;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use turnkit_core::ports::DeletedData;
use turnkit_core::{Claim, ClaimedTurn, ClaimedTurns, OrphanedTurn, Release, StoreError, Sweep, Timestamp, TurnId};

use super::TurnService;
use super::claimed_run::{Broken, Run};

/// The first pause before a turn that could not be saved is resumed. The pause doubles up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const MAX_PAUSE: Duration = Duration::from_secs(30);
/// The most turns without an owner that are claimed at once.
const CLAIMS_AT_ONCE: usize = 64;

/// How long the log of a turn is kept after its end, in milliseconds.
const LOGS_KEPT_MS: i64 = 24 * 60 * 60 * 1000;

/// Turns that were claimed together.
pub(super) struct ClaimedBatch {
    /// The number of turns started.
    pub(super) started: usize,
    /// The turns that could not be claimed.
    pub(super) failed: Vec<(TurnId, StoreError)>,
}

impl TurnService {
    /// Registers the worker and resumes the turns that earlier processes left unfinished. Returns how many were resumed
    /// or suspended. A turn that cannot be claimed yet is retried without delaying others. A turn that saw several
    /// processes die is suspended first. If the store grants timed leases, the worker takes as many turns as it has
    /// free slots. From then on it renews its lease and looks for more turns, until the service is
    /// [closed](Self::close) and its turns have ended or been handed over.
    ///
    /// # Errors
    /// Storage cannot report the unfinished turns.
    pub async fn resume_unfinished(&self) -> Result<usize, StoreError> {
        let sweep = self.sweep();
        let is_timed = self.hold_lease(sweep.worker()).await?;
        self.expire_at_start().await?;
        if is_timed {
            return self.sweep_and_claim().await;
        }
        let suspects = self.inner.parts.store.sweep(&sweep).await?.suspects;
        Ok(self.claim_suspects(suspects).await + self.claim_all(&sweep).await?)
    }

    /// Suspends turns that saw several processes die, and claims those that are to be ended. Returns the number of
    /// both.
    pub(super) async fn claim_suspects(&self, mut suspects: Vec<OrphanedTurn>) -> usize {
        let all = suspects.len();
        suspects.retain(|suspect| match self.suspension_of(*suspect) {
            Some(pause) => {
                self.suspend(suspect.turn, pause);
                false
            }
            None => true,
        });
        let mut taken = all - suspects.len();
        // Concurrently, so that claims share commits.
        let claim = async |OrphanedTurn { turn, .. }| (turn, self.claim_left(turn).await);
        let mut claims = pin!(stream::iter(suspects).map(claim).buffered(CLAIMS_AT_ONCE));
        while let Some((turn, claimed)) = claims.next().await {
            taken += usize::from(self.run_claimed(turn, claimed));
        }
        taken
    }

    /// Claims every turn that has no owner, and returns how many were claimed.
    async fn claim_all(&self, sweep: &Sweep) -> Result<usize, StoreError> {
        let mut taken = 0;
        loop {
            let turns = self.claim_oldest(sweep, CLAIMS_AT_ONCE).await?;
            taken += turns.started;
            if turns.started == 0 {
                // The last call returns every turn that still cannot be claimed.
                for (turn, error) in turns.failed {
                    self.run_claimed(turn, Err(error));
                }
                return Ok(taken);
            }
        }
    }

    /// Claims up to `most` turns that have no owner, and starts them.
    pub(super) async fn claim_oldest(&self, sweep: &Sweep, most: usize) -> Result<ClaimedBatch, StoreError> {
        let parts = &self.inner.parts;
        let ClaimedTurns { claimed, failed } = parts.store.claim_oldest(sweep, most, parts.clock.now()).await?;
        // Concurrently, so that stops share commits.
        let stopped = async |mut claimed| {
            self.stop_if_unreachable(&mut claimed).await;
            claimed
        };
        let mut stopped = pin!(stream::iter(claimed).map(stopped).buffered(CLAIMS_AT_ONCE));
        let mut started = 0;
        while let Some(claimed) = stopped.next().await {
            self.inner.tally.resumed();
            started += usize::from(self.run_claimed(claimed.claim.turn(), Ok(Some(claimed))));
        }
        Ok(ClaimedBatch { started, failed })
    }

    /// Deletes logs of turns that ended a day ago, idempotency keys and ephemeral sessions of that age, and files of
    /// that age that no turn names. The messages of other sessions stay. Returns the number of turns. A server calls
    /// this every hour, a short-lived program once.
    ///
    /// # Errors
    /// Storage failed.
    pub async fn delete_expired(&self) -> Result<u64, StoreError> {
        let parts = &self.inner.parts;
        let before = Timestamp::from_millis(parts.clock.now().millis().saturating_sub(LOGS_KEPT_MS));
        let DeletedData { turns, sessions } = parts.store.delete_expired(&self.sweep(), before).await?;
        for session in sessions {
            self.inner.cache.forget(session);
            parts.broker.changed(session);
        }
        parts.store.delete_unreferenced(&self.sweep(), before).await?;
        Ok(turns)
    }

    /// Claims and runs a turn that has no owner.
    pub(super) async fn resume(&self, turn: TurnId) {
        let claimed = self.claim(turn).await;
        self.run_claimed(turn, claimed);
    }

    /// Runs a turn if it was claimed, and returns `true` if it was. If storage failed, the claim is retried later.
    pub(super) fn run_claimed(&self, turn: TurnId, claimed: Result<Option<ClaimedTurn>, StoreError>) -> bool {
        match claimed {
            Ok(Some(claimed)) => {
                self.start(Run::begin(Box::new(claimed), None, self.turns()));
                true
            }
            Ok(None) => false,
            Err(error) => {
                tracing::error!(%turn, %error, "could not resume the turn");
                self.retry(turn, None, None, FIRST_PAUSE);
                false
            }
        }
    }

    /// Resumes a turn of this process that could not continue, as after the death of its owner. It runs under a new
    /// fence, so that events that were shown but not saved are not mistaken for later ones. A turn that has just broken
    /// is ended at once; each further attempt waits longer.
    pub(super) fn resume_after_failure(&self, run: Run, broken: Option<Broken>) {
        let just_broken = broken.is_some() && run.broken.is_none();
        let pause = if just_broken { Duration::ZERO } else { longer(run.paused) };
        let claim = run.claimed.claim;
        self.retry(claim.turn(), Some(claim), broken.or(run.broken), pause);
    }

    /// Claims and runs the turn as soon as storage works.
    fn retry(&self, turn: TurnId, owned: Option<Claim>, broken: Option<Broken>, first_pause: Duration) {
        let service = self.clone();
        self.inner.tasks.spawn(async move {
            let mut paused = first_pause;
            loop {
                tokio::select! {
                    biased;
                    () = service.inner.halt.cancelled() => return,
                    () = tokio::time::sleep(paused) => {}
                }
                match service.reclaim(turn, owned.as_ref()).await {
                    Ok(Some(claimed)) => {
                        let run = Run::begin(Box::new(claimed), None, service.turns());
                        return service.start(Run { broken, paused, ..run });
                    }
                    // The turn has ended, another process owns it, or it waits: a commit whose response was lost made
                    // it wait.
                    Ok(None) | Err(StoreError::Fenced) => {
                        service.watch_expiry();
                        return service.turns().forget_stop(turn);
                    }
                    Err(error) => {
                        tracing::warn!(%turn, %error, "could not resume the turn yet");
                        paused = longer(paused);
                    }
                }
            }
        });
    }

    /// Claims a turn that an earlier process left unfinished.
    pub(super) async fn claim_left(&self, turn: TurnId) -> Result<Option<ClaimedTurn>, StoreError> {
        let mut claimed = self.claim(turn).await?;
        if let Some(claimed) = &mut claimed {
            self.stop_if_unreachable(claimed).await;
        }
        Ok(claimed)
    }

    async fn reclaim(&self, turn: TurnId, owned: Option<&Claim>) -> Result<Option<ClaimedTurn>, StoreError> {
        if let Some(claim) = owned {
            self.inner.parts.store.release(claim, Release::Unsaved).await?;
        }
        self.claim(turn).await
    }

    pub(super) async fn claim(&self, turn: TurnId) -> Result<Option<ClaimedTurn>, StoreError> {
        let parts = &self.inner.parts;
        let claimed = parts.store.claim(&self.sweep(), turn, parts.clock.now()).await?;
        if claimed.is_some() {
            self.inner.tally.resumed();
        }
        Ok(claimed)
    }
}

fn longer(pause: Duration) -> Duration {
    (pause * 2).clamp(FIRST_PAUSE, MAX_PAUSE)
}
