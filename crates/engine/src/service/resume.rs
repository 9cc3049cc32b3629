//! Taking up turns whose owner died, or could not go on.

use std::pin::pin;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use turnkit_core::ports::Forgotten;
use turnkit_core::{Claim, Claimed, ClaimedTurns, Release, StoreError, Sweep, Timestamp, TurnId, Unfinished};

use super::TurnService;
use super::claimed_run::{Broken, Run};

/// The first pause before a turn that could not be saved is taken up again; it doubles up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// How many turns without an owner are claimed at once.
const CLAIMS_AT_ONCE: usize = 64;

/// How long the log of a turn is kept after its end, in milliseconds.
const LOGS_KEPT_MS: i64 = 24 * 60 * 60 * 1000;

/// Turns that were claimed together.
pub(super) struct TakenUp {
    /// How many were started.
    pub(super) started: usize,
    /// Those that could not be claimed.
    pub(super) failed: Vec<(TurnId, StoreError)>,
}

impl TurnService {
    /// Registers the worker and takes up the turns that earlier processes left unfinished. Returns how many turns there are.
    /// A turn that cannot be taken up yet is tried again, and keeps no other waiting. A turn that saw several processes die
    /// is suspended first. Where the store grants leases by time, the worker takes as many turns as it has free slots, and
    /// from now on renews its lease and looks for others, until the service is [closed](Self::close) and has let go of its
    /// turns.
    ///
    /// # Errors
    /// Storage does not report which turns there are.
    pub async fn resume_unfinished(&self) -> Result<usize, StoreError> {
        let sweep = self.sweep();
        let is_timed = self.hold_lease(sweep.worker()).await?;
        self.expire_at_start().await?;
        if is_timed {
            return self.sweep_and_claim().await;
        }
        let suspects = self.inner.parts.store.sweep(&sweep).await?.suspects;
        Ok(self.take_up_suspects(suspects).await + self.claim_all(&sweep).await?)
    }

    /// Suspends turns that saw several processes die, and claims those that are to be ended. Returns how many.
    pub(super) async fn take_up_suspects(&self, mut suspects: Vec<Unfinished>) -> usize {
        let all = suspects.len();
        suspects.retain(|suspect| match self.suspension_of(*suspect) {
            Some(pause) => {
                self.suspend(suspect.turn, pause);
                false
            }
            None => true,
        });
        let mut taken = all - suspects.len();
        // Side by side, so that claims share commits.
        let claim = async |Unfinished { turn, .. }| (turn, self.claim_left(turn).await);
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
                // The last call names each turn that still cannot be claimed.
                for (turn, error) in turns.failed {
                    self.run_claimed(turn, Err(error));
                }
                return Ok(taken);
            }
        }
    }

    /// Claims up to `most` turns that have no owner, and starts them.
    pub(super) async fn claim_oldest(&self, sweep: &Sweep, most: usize) -> Result<TakenUp, StoreError> {
        let parts = &self.inner.parts;
        let ClaimedTurns { claimed, failed } = parts.store.claim_oldest(sweep, most, parts.clock.now()).await?;
        // Side by side, so that stops share commits.
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
        Ok(TakenUp { started, failed })
    }

    /// Forgets logs of turns that ended a day ago, idempotency keys of that age, sessions of one turn alone, and files
    /// of that age that no turn names; what was said in others stays. Gives how many turns. A server does this every hour,
    /// a short-lived program once.
    ///
    /// # Errors
    /// Storage failed.
    pub async fn forget_old(&self) -> Result<u64, StoreError> {
        let parts = &self.inner.parts;
        let before = Timestamp::from_millis(parts.clock.now().millis().saturating_sub(LOGS_KEPT_MS));
        let Forgotten { turns, sessions } = parts.store.forget(&self.sweep(), before).await?;
        for session in sessions {
            self.inner.cache.forget(session);
            parts.broker.changed(session);
        }
        parts.store.forget_unnamed(&self.sweep(), before).await?;
        Ok(turns)
    }

    /// Takes up one turn that nobody runs.
    pub(super) async fn take_up(&self, turn: TurnId) {
        let claimed = self.claim(turn).await;
        self.run_claimed(turn, claimed);
    }

    /// Runs a turn if it was claimed, and says whether it was. Where storage failed, it is claimed again later.
    pub(super) fn run_claimed(&self, turn: TurnId, claimed: Result<Option<Claimed>, StoreError>) -> bool {
        match claimed {
            Ok(Some(claimed)) => {
                self.start(Run::begin(Box::new(claimed), None, self.turns()));
                true
            }
            Ok(None) => false,
            Err(error) => {
                tracing::error!(%turn, %error, "could not take up the turn");
                self.retry(turn, None, None, FIRST_PAUSE);
                false
            }
        }
    }

    /// Takes up a turn of this process that could not go on, as after the death of its owner: under a new fence, so that
    /// what it had shown and not saved is not taken for what follows. One that has just broken is ended at once; each
    /// further try waits longer.
    pub(super) fn take_up_again(&self, run: Run, broken: Option<Broken>) {
        let just_broken = broken.is_some() && run.broken.is_none();
        let pause = if just_broken { Duration::ZERO } else { longer(run.paused) };
        let claim = run.claimed.claim;
        self.retry(claim.turn(), Some(claim), broken.or(run.broken), pause);
    }

    /// Takes up the turn as soon as storage works.
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
                    // It is over, another process has it, or it waits: then it began to in a commit whose answer was lost.
                    Ok(None) | Err(StoreError::Fenced) => {
                        service.watch_expiry();
                        return service.turns().forget_stop(turn);
                    }
                    Err(error) => {
                        tracing::warn!(%turn, %error, "could not take up the turn yet");
                        paused = longer(paused);
                    }
                }
            }
        });
    }

    /// Takes over a turn that an earlier process left.
    pub(super) async fn claim_left(&self, turn: TurnId) -> Result<Option<Claimed>, StoreError> {
        let mut claimed = self.claim(turn).await?;
        if let Some(claimed) = &mut claimed {
            self.stop_if_unreachable(claimed).await;
        }
        Ok(claimed)
    }

    async fn reclaim(&self, turn: TurnId, owned: Option<&Claim>) -> Result<Option<Claimed>, StoreError> {
        if let Some(claim) = owned {
            self.inner.parts.store.release(claim, Release::Unsaved).await?;
        }
        self.claim(turn).await
    }

    pub(super) async fn claim(&self, turn: TurnId) -> Result<Option<Claimed>, StoreError> {
        let parts = &self.inner.parts;
        let claimed = parts.store.claim(&self.sweep(), turn, parts.clock.now()).await?;
        if claimed.is_some() {
            self.inner.tally.resumed();
        }
        Ok(claimed)
    }
}

fn longer(pause: Duration) -> Duration {
    (pause * 2).clamp(FIRST_PAUSE, LONGEST_PAUSE)
}
