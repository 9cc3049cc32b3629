//! What turns wait for: listed, decided, and denied when nobody decides in time.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::watch;
use turnkit_core::ports::{WaitList, WaitPage};
use turnkit_core::{Expired, Resolution, Resolved, Scope, StoreError, Timestamp, Wait, WaitId};

use super::{Inner, TurnService};
use crate::decision::{InvalidDecision, check_decision};

/// The pause before waits are looked at again: not before one expires, and not so late that a change of the time goes
/// unnoticed.
const SHORTEST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(60 * 60);
/// The pause after storage failed.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(10);

/// Why a wait is not decided.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// The wait cannot have this decision.
    #[error(transparent)]
    Invalid(#[from] InvalidDecision),
    /// The approval cannot be for later calls too, and why.
    #[error("the approval cannot be for later calls too: {0}; approve this call alone")]
    Ungrantable(String),
    /// `NotFound` if the caller has no such wait; otherwise storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl TurnService {
    /// Returns what a turn waits or waited for.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    pub async fn wait(&self, scope: &Scope, wait: WaitId) -> Result<Wait, StoreError> {
        self.inner.parts.store.wait(scope, wait).await
    }

    /// Returns what turns of an owner wait or waited for.
    ///
    /// # Errors
    /// `NotFound` for an unknown session or turn; otherwise storage failed.
    pub async fn waits(&self, scope: &Scope, page: WaitPage) -> Result<WaitList, StoreError> {
        self.inner.parts.store.waits(scope, page).await
    }

    /// Decides what a turn waits for. With the last decision the turn goes on at once.
    ///
    /// # Errors
    /// The decision is of another kind than the wait, or grants what cannot be granted, or there is no such wait; otherwise
    /// storage failed.
    pub async fn resolve(&self, scope: &Scope, wait: WaitId, resolution: Resolution) -> Result<Resolved, ResolveError> {
        let (service, scope) = (self.clone(), scope.clone());
        self.see_through(async move { service.decide(&scope, wait, resolution).await }).await
    }

    async fn decide(&self, scope: &Scope, wait: WaitId, resolution: Resolution) -> Result<Resolved, ResolveError> {
        let parts = &self.inner.parts;
        let asked = parts.store.wait(scope, wait).await?;
        check_decision(asked.kind, asked.question.question.as_deref(), &resolution)?;
        let grant = self.grant_of(scope, &asked, &resolution).await?;
        let resolved = parts.store.resolve(scope, wait, resolution, grant, parts.clock.now()).await?;
        parts.failpoints.hit("wait.resolved");
        // The answer to the first try may have been lost after its commit.
        let may_be_ready = matches!(resolved, Resolved::Decided { ready: true } | Resolved::Repeated);
        // A process that stops leaves the turn to the next one.
        if may_be_ready && !self.inner.closing.is_cancelled() {
            self.take_up(wait.call.turn).await;
        }
        Ok(resolved)
    }

    /// Denies expired waits before turns are taken up, and starts the expiry task if any wait is pending.
    pub(super) async fn expire_at_start(&self) -> Result<(), StoreError> {
        let parts = &self.inner.parts;
        if parts.store.expire(&self.sweep(), parts.clock.now()).await?.next.is_some() {
            self.watch_expiry();
        }
        Ok(())
    }

    /// Has the watch look when the next wait expires: a turn began to wait. One task watches for all turns; a service whose
    /// turns never wait has none.
    pub(super) fn watch_expiry(&self) {
        let watched = self.inner.expiry.get_or_init(|| {
            let (sender, changes) = watch::channel(());
            self.inner.tasks.spawn(watch(Arc::downgrade(&self.inner), changes));
            sender
        });
        watched.send_replace(());
    }

    /// Denies what nobody decided in time and takes up the turns that wait for nothing more. Returns the pause until the next
    /// wait expires, if one is pending.
    async fn expire(&self) -> Option<Duration> {
        let parts = &self.inner.parts;
        let expired = parts.store.expire(&self.sweep(), parts.clock.now()).await;
        let Expired { ready, next } = match expired {
            Ok(expired) => expired,
            Err(error) => {
                tracing::warn!(%error, "could not deny what nobody decided in time");
                return Some(PAUSE_AFTER_FAILURE);
            }
        };
        for turn in ready {
            self.take_up(turn).await;
        }
        next.map(|next: Timestamp| next.since(parts.clock.now()).clamp(SHORTEST_PAUSE, LONGEST_PAUSE))
    }
}

/// Denies waits when they expire, as long as the service takes turns.
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
