//! Running claimed turns, one task each, and handling the outcome of each run.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use tokio::sync::OwnedSemaphorePermit;
use turnkit_core::{ClaimedTurn, Release, Scope, StopReason, StoreError, TurnId, WorkerId};

use super::TurnService;
use super::claimed_run::{Broken, Run};
use crate::driver::Exit;

impl TurnService {
    /// Runs a turn that this process owns.
    pub(super) fn start(&self, run: Run) {
        let service = self.clone();
        let (session, scope) = (run.claimed.session.id, run.claimed.claim.scope().clone());
        // Boxed, because each future that receives the run reserves space for it.
        let run = Box::new(run);
        self.inner.tasks.spawn(async move { service.perform(run).await });
        self.session_changed(&scope, session);
    }

    /// Signals the owner of a turn, in this process or another one, to stop it. A turn without an owner, because it
    /// waits for a person, is claimed so that it ends.
    pub(super) async fn stop(&self, scope: &Scope, turn: TurnId, reason: StopReason) {
        if self.turns().stop(turn, reason) {
            return;
        }
        self.resume(turn).await;
        // The next run ends the turn, unless it had already ended or another process owns it.
        let (is_over, owner) = match self.inner.parts.store.turn(scope, turn).await {
            Ok(record) => (record.ended_at.is_some(), self.other_than_this(record.owner)),
            Err(error) => (error == StoreError::NotFound, None),
        };
        if is_over || owner.is_some() {
            self.turns().forget_stop(turn);
        }
        if let Some(owner) = owner {
            self.inner.parts.broker.stop(turn, &owner, reason);
        }
    }

    /// Returns the owner of a turn, if it is another process.
    pub(super) fn other_than_this(&self, owner: Option<WorkerId>) -> Option<WorkerId> {
        owner.filter(|owner| *owner != self.inner.parts.worker)
    }

    async fn perform(&self, run: Box<Run>) {
        let (turn, session) = (run.claimed.claim.turn(), run.claimed.session.id);
        let scope = run.claimed.claim.scope();
        let outcome = AssertUnwindSafe(self.run_while_followed(&run)).catch_unwind().await;
        if let Ok(Ok(Exit::Unsaved(error)) | Err(error)) = &outcome
            // A run that lost its turn does not touch the log of the later run.
            && *error != StoreError::Fenced
            && let Some(live) = run.live.get().cloned().or_else(|| self.turns().find(turn))
        {
            live.fail(error.clone());
        }
        self.turns().end_run(&run.registered, self.inner.parts.clock.now());
        match outcome {
            Ok(Ok(Exit::Ended { status, next, chore, stops })) => {
                self.inner.tally.ended(status);
                if let Some(live) = run.live.get() {
                    live.read(|log| self.inner.meter.ended(log));
                }
                match next {
                    Some(next) => self.start_next(next),
                    None => self.session_changed(scope, session),
                }
                self.withdrawn(&run, status);
                for child in stops {
                    self.stop(scope, child, StopReason::Cancelled).await;
                }
                self.resume_parent(&run).await;
                if let Some(kind) = chore {
                    // Boxed, because few turns need it.
                    Box::pin(self.start_chore(&run, kind)).await;
                }
            }
            Ok(Ok(Exit::Waiting(_))) => {
                self.watch_expiry();
                // A stop may have been requested as the turn began to wait. Then it has no owner, and must be ended.
                self.resume(turn).await;
            }
            Ok(Ok(Exit::HandedOver)) => {}
            Ok(Ok(Exit::Fenced) | Err(StoreError::Fenced)) => {
                run.span().in_scope(|| tracing::warn!(%turn, "another worker took the turn over"));
            }
            Ok(Ok(Exit::Unsaved(error)) | Err(error)) => {
                let log = || tracing::error!(%turn, %error, "the turn could not be saved and will be resumed");
                run.span().in_scope(log);
                self.resume_after_failure(*run, None);
            }
            Err(_) => {
                run.span().in_scope(|| tracing::error!(%turn, "turn panicked"));
                let broken = Some(Broken::new("internal", "the turn failed because of an internal error"));
                self.resume_after_failure(*run, broken);
            }
        }
    }

    /// Runs the turn. Cancels it if its client cannot come back and it has no followers, or if it is a chore and chores
    /// are ended.
    async fn run_while_followed(&self, run: &Run) -> Result<Exit, StoreError> {
        if run.claimed.caps.resume && !run.claimed.chore {
            return self.run_in_slot(run).await;
        }
        // Boxed, so that the futures of other turns do not grow.
        let followed = Box::pin(async {
            tokio::select! {
                biased;
                exit = self.run_in_slot(run) => exit,
                never = self.cancel_at_end_of_chores(run), if run.claimed.chore => match never {},
                never = self.cancel_unfollowed(run), if !run.claimed.caps.resume => match never {},
            }
        });
        followed.await
    }

    /// Runs the turn once it has a slot.
    async fn run_in_slot(&self, run: &Run) -> Result<Exit, StoreError> {
        let halt = &self.inner.halt;
        let Some(_slot) = halt.run_until_cancelled(self.slot(run)).await else {
            self.inner.parts.store.release(&run.claimed.claim, Release::HandedOver).await?;
            return Ok(Exit::HandedOver);
        };
        let _running = self.inner.tally.running.one_more();
        self.inner.parts.failpoints.hit("turn.claimed");
        self.run(run).await
    }

    /// Waits for a slot, and until the process may start turns. Returns `None` for a turn that only has to be ended.
    async fn slot(&self, run: &Run) -> Option<OwnedSemaphorePermit> {
        if run.broken.is_some() {
            return None;
        }
        let (slots, waiting) = match run.claimed.chore {
            false => (&self.inner.slots, &self.inner.tally.waiting_for_slot),
            true => (&self.inner.chores.slots, &self.inner.chores.waiting),
        };
        let _waiting = waiting.one_more();
        tokio::select! {
            biased;
            _ = run.registered.stop().raised() => None,
            slot = async {
                let slot = Arc::clone(slots).acquire_owned().await;
                self.inner.lease.until_held().await;
                slot
            } => slot.ok(),
        }
    }

    /// Starts the session's next turn. Its followers, if any, are already attached to its log.
    fn start_next(&self, next: Box<ClaimedTurn>) {
        let live = self.turns().find(next.claim.turn()).filter(|live| !live.is_closed());
        if let Some(live) = &live {
            live.write(|log| log.set_fence(next.claim.fence()));
        }
        self.start(Run::begin(next, live, self.turns()));
    }
}
