//! Deleting a session, even if turns run or wait in it.

use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt, stream};
use tokio::time::Instant;
use turnkit_core::ports::UnfinishedTurns;
use turnkit_core::{ConflictKind, Scope, SessionId, StoreError};

use super::user_changes::UserChange;
use super::{TurnService, stopping};

/// The longest time that a session may take to become idle after all its turns were cancelled.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often the session is checked if no change is signalled: its turns may belong to another process whose signal was
/// lost.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// The most queued turns that are cancelled at once.
const CANCELS_AT_ONCE: usize = 32;

impl TurnService {
    /// Deletes a session. First cancels its queued turns and its running one, and waits until they have ended.
    ///
    /// # Errors
    /// `NotFound`; `Conflict` with `SessionBusy` if a turn does not end within ten seconds, or new turns keep arriving;
    /// otherwise storage failed.
    pub async fn delete_session(&self, scope: &Scope, session: SessionId) -> Result<(), StoreError> {
        let (service, scope) = (self.clone(), scope.clone());
        self.run_to_completion(async move { service.stop_and_delete(&scope, session).await }).await
    }

    async fn stop_and_delete(&self, scope: &Scope, session: SessionId) -> Result<(), StoreError> {
        let parts = &self.inner.parts;
        let deadline = Instant::now() + PATIENCE;
        let mut changes = parts.broker.changes(session).watch();
        loop {
            match parts.store.delete(scope, session).await {
                // The session has turns that have not ended. Some may have been accepted since the last attempt.
                Err(StoreError::Conflict(_)) => self.stop_all(scope, session).await?,
                deleted => {
                    deleted?;
                    self.inner.cache.forget(session);
                    self.inner.instructions.forget(session);
                    parts.broker.changed(session);
                    self.inner.user_changes.report(scope, UserChange::Removed(session));
                    return Ok(());
                }
            }
            tokio::select! {
                biased;
                () = changes.changed() => {}
                () = tokio::time::sleep_until(deadline) => return Err(StoreError::Conflict(ConflictKind::SessionBusy)),
                () = self.inner.halt.cancelled() => return Err(stopping()),
                () = tokio::time::sleep(CHECK_INTERVAL) => {}
            }
        }
    }

    /// Cancels the turns of a session. Queued turns are cancelled first, so that none of them starts.
    async fn stop_all(&self, scope: &Scope, session: SessionId) -> Result<(), StoreError> {
        let UnfinishedTurns { active, queue } = self.inner.parts.store.unfinished_turns(scope, session).await?;
        // Concurrently, so that the cancellations share commits.
        let cancels = stream::iter(queue).map(|waiting| self.request_cancel(scope, waiting)).buffered(CANCELS_AT_ONCE);
        cancels.try_for_each(async |_| Ok(())).await?;
        if let Some(running) = active {
            self.request_cancel(scope, running).await?;
        }
        Ok(())
    }
}
