//! Suspension of turns that saw several processes die. They run only some time after the next process has started, and
//! are given up in the end.

use std::collections::HashSet;
use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;

use turnkit_core::{Deaths, OrphanedTurn, Release, StoreError, TurnId};

use super::TurnService;
use crate::machine::Limits;

/// The longest suspension, before it is spread.
const MAX_SUSPENSION: Duration = Duration::from_secs(60);

/// Reports whether a turn has been blamed for as many deaths as its limit allows.
pub(super) fn is_given_up(deaths: Deaths, limits: Limits) -> bool {
    deaths.blame >= Deaths::WHOLE.saturating_mul(limits.max_attempts.into())
}

impl TurnService {
    /// Returns how long the turn is suspended, or `None` if it can be claimed at once. A turn that every agent would
    /// give up is claimed at once, to be ended.
    pub(super) fn suspension_of(&self, found: OrphanedTurn) -> Option<Duration> {
        let OrphanedTurn { turn, deaths } = found;
        let first = self.inner.parts.first_suspension;
        let is_given_up_by_all = self.inner.parts.agents.iter().all(|agent| is_given_up(deaths, agent.settings.limits));
        let further =
            deaths.count.checked_sub(Deaths::SUSPICIOUS).filter(|_| !is_given_up_by_all && !first.is_zero())?;
        let pause = first.saturating_mul(2_u32.saturating_pow(further)).min(MAX_SUSPENSION);
        Some(pause + spread(turn, pause))
    }

    /// Claims the turn after `pause`. A process that stops before then is not evidence for or against the turn. A turn
    /// that this process has already suspended stays suspended.
    pub(super) fn suspend(&self, turn: TurnId, pause: Duration) {
        if !self.suspended().insert(turn) {
            return;
        }
        tracing::warn!(%turn, seconds = pause.as_secs_f32(), "the turn saw several processes die and is suspended");
        let service = self.clone();
        self.inner.tasks.spawn(async move {
            // A suspension that cannot be stored cannot acquit the turn, but still delays it.
            warn_of(turn, service.inner.parts.store.suspend(&service.sweep(), turn).await);
            match service.inner.closing.run_until_cancelled(tokio::time::sleep(pause)).await {
                Some(()) => {
                    let claimed = service.claim_left(turn).await;
                    service.run_claimed(turn, claimed);
                }
                None => warn_of(turn, service.end_suspension(turn).await),
            }
            service.suspended().remove(&turn);
        });
    }

    fn suspended(&self) -> MutexGuard<'_, HashSet<TurnId>> {
        self.inner.suspended.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn end_suspension(&self, turn: TurnId) -> Result<(), StoreError> {
        match self.claim(turn).await? {
            Some(claimed) => self.inner.parts.store.release(&claimed.claim, Release::HandedOver).await,
            None => Ok(()),
        }
    }
}

/// Returns a duration up to `pause`, derived from the turn's id, so that turns that ran together do not return
/// together.
fn spread(turn: TurnId, pause: Duration) -> Duration {
    let last = turn.0.as_bytes().last().copied().unwrap_or_default();
    pause * u32::from(last) / 256
}

fn warn_of(turn: TurnId, stored: Result<(), StoreError>) {
    if let Err(error) = stored {
        tracing::warn!(%turn, %error, "could not store or clear the suspension of the turn");
    }
}
