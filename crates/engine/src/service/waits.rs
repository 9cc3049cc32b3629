//! Waits of turns: listed, decided, and denied if no resolution arrives in time.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::watch;
use turnkit_core::ports::{PinOwner, WaitList, WaitPage};
use turnkit_core::{
    ExpiryOutcome, LogEntry, Recorded, Resolution, ResolveOutcome, Scope, SessionId, StoreError, Timestamp, ToolPin,
    TurnStatus, Wait, WaitId,
};

use super::claimed_run::Run;
use super::user_changes::UserChange;
use super::{Inner, TurnService};
use crate::resolution::{InvalidResolution, check_resolution};

/// The bounds of the pause until waits are checked again, which is when the next one expires. The upper bound ensures
/// that a change of the clock is noticed.
const MIN_PAUSE: Duration = Duration::from_millis(50);
const MAX_PAUSE: Duration = Duration::from_secs(60 * 60);
/// The pause after a storage failure.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(10);

/// The reason why a wait is not decided.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// The resolution is not valid for this wait.
    #[error(transparent)]
    Invalid(#[from] InvalidResolution),
    /// The approval cannot apply to later calls as well. Contains the reason.
    #[error("the approval cannot also cover later calls: {0}; approve this call alone")]
    Ungrantable(String),
    /// `NotFound` if the caller has no such wait; otherwise storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl TurnService {
    /// Returns a wait of a turn, pending or decided.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    pub async fn wait(&self, scope: &Scope, wait: WaitId) -> Result<Wait, StoreError> {
        self.inner.parts.store.wait(scope, wait).await
    }

    /// Lists waits of turns in the scope, pending or decided.
    ///
    /// # Errors
    /// `NotFound` for an unknown session or turn; otherwise storage failed.
    pub async fn waits(&self, scope: &Scope, page: WaitPage) -> Result<WaitList, StoreError> {
        self.inner.parts.store.waits(scope, page).await
    }

    /// Decides a wait. Followers of the turn get the remaining waits. When none is pending any more, the turn continues
    /// at once.
    ///
    /// # Errors
    /// The resolution does not fit the wait, the tool does not accept its changed arguments, its grant is not possible,
    /// or the wait does not exist; otherwise storage failed. Nothing is stored then.
    pub async fn resolve(
        &self,
        scope: &Scope,
        wait: WaitId,
        resolution: Resolution,
    ) -> Result<ResolveOutcome, ResolveError> {
        let (service, scope) = (self.clone(), scope.clone());
        self.run_to_completion(async move { service.decide(&scope, wait, resolution).await }).await
    }

    async fn decide(
        &self,
        scope: &Scope,
        wait: WaitId,
        resolution: Resolution,
    ) -> Result<ResolveOutcome, ResolveError> {
        let parts = &self.inner.parts;
        let asked = parts.store.wait(scope, wait).await?;
        check_resolution(asked.kind, asked.question.question.as_deref(), &resolution)?;
        let grant = self.grant_of(scope, &asked, &resolution).await?;
        let accepted = match &resolution {
            Resolution::Approved { .. } => asked.question.grantable.and_then(|grantable| grantable.changed),
            _ => None,
        };
        let resolved = parts.store.resolve(scope, wait, resolution, grant, parts.clock.now()).await?;
        parts.failpoints.hit("wait.resolved");
        // The response to the first attempt may have been lost after its commit.
        if matches!(resolved, ResolveOutcome::Decided { .. } | ResolveOutcome::Repeated) {
            parts.broker.changed(asked.session);
            self.inner.user_changes.report(scope, UserChange::Interactions);
            if let Some(accepted) = accepted {
                self.accept_definition(scope, *accepted).await;
            }
        }
        let may_be_ready = matches!(resolved, ResolveOutcome::Decided { ready: true } | ResolveOutcome::Repeated);
        // A process that is stopping leaves the turn to the next process.
        if may_be_ready && !self.inner.closing.is_cancelled() {
            self.resume(wait.call.turn).await;
        }
        Ok(resolved)
    }

    /// Accepts the changed definition of a tool for the user who approved one of its calls. If it cannot be stored, the
    /// user is asked again at the next call.
    async fn accept_definition(&self, scope: &Scope, accepted: ToolPin) {
        let (parts, owner) = (&self.inner.parts, PinOwner::User(scope.clone()));
        if let Err(error) = parts.store.accept_definitions(&owner, vec![accepted], parts.clock.now()).await {
            tracing::warn!(%error, "the definition of an approved tool was not stored as accepted");
        }
    }

    /// Denies expired waits before turns are resumed, and starts the expiry task if any wait is pending.
    pub(super) async fn expire_at_start(&self) -> Result<(), StoreError> {
        let parts = &self.inner.parts;
        let expired = parts.store.expire(&self.sweep(), parts.clock.now()).await?;
        // Followers in other processes may show the denied waits.
        expired.sessions.iter().for_each(|session| self.waits_expired(*session));
        if expired.next.is_some() {
            self.watch_expiry();
        }
        Ok(())
    }

    /// Reports to followers that waits of a session were denied because they have expired.
    fn waits_expired(&self, session: SessionId) {
        self.inner.parts.broker.changed(session);
        self.inner.user_changes.report_expired(session);
    }

    /// Reports that the turn of `run` asked for decisions.
    pub(super) fn asked(&self, run: &Run) {
        self.inner.user_changes.report(run.claimed.claim.scope(), UserChange::Interactions);
    }

    /// Reports that the turn of `run` has ended with this status, and no longer waits for the decisions that it may
    /// have asked for.
    pub(super) fn withdrawn(&self, run: &Run, status: TurnStatus) {
        // All waits of a turn that completed were decided, and reported then.
        if status == TurnStatus::Completed || !self.inner.user_changes.has_followers() {
            return;
        }
        let is_question = |entry: &LogEntry| matches!(entry.kind, Recorded::InteractionRequested { .. });
        if run.live.get().is_some_and(|live| live.read(|log| log.entries().any(is_question))) {
            self.asked(run);
        }
    }

    /// Makes the expiry task check when the next wait expires, because a turn began to wait. One task serves all turns.
    /// A service whose turns never wait has none.
    pub(super) fn watch_expiry(&self) {
        let watched = self.inner.expiry.get_or_init(|| {
            let (sender, changes) = watch::channel(());
            self.inner.tasks.spawn(watch(Arc::downgrade(&self.inner), changes));
            sender
        });
        watched.send_replace(());
    }

    /// Denies expired waits and resumes the turns that have no more pending waits. Returns the pause until the next
    /// wait expires, if one is pending.
    async fn expire(&self) -> Option<Duration> {
        let parts = &self.inner.parts;
        let expired = parts.store.expire(&self.sweep(), parts.clock.now()).await;
        let ExpiryOutcome { ready, sessions, next } = match expired {
            Ok(expired) => expired,
            Err(error) => {
                tracing::warn!(%error, "could not deny the waits that have expired");
                return Some(PAUSE_AFTER_FAILURE);
            }
        };
        for session in sessions {
            self.waits_expired(session);
        }
        for turn in ready {
            self.resume(turn).await;
        }
        next.map(|next: Timestamp| next.since(parts.clock.now()).clamp(MIN_PAUSE, MAX_PAUSE))
    }
}

/// Denies waits when they expire, as long as the service accepts turns.
async fn watch(service: Weak<Inner>, mut changes: watch::Receiver<()>) {
    loop {
        let Some(inner) = service.upgrade() else { return };
        let closing = inner.closing.clone();
        let pause = TurnService { inner }.expire().await;
        let expires = async {
            match pause {
                Some(pause) => tokio::time::sleep(pause).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = closing.cancelled() => return,
            changed = changes.changed() => if changed.is_err() { return },
            () = expires => {}
        }
    }
}
