//! Creating sessions, and editing one even while a chore runs in it.

use turnkit_core::ports::{Fork, NewSession, SessionEdit, UnfinishedTurns};
use turnkit_core::{Scope, SessionId, SessionSummary, StopReason, StoreError, TurnState};

use super::TurnService;
use super::user_changes::UserChange;

impl TurnService {
    /// Creates a session without turns.
    ///
    /// # Errors
    /// See [`SessionStore::create`](turnkit_core::ports::SessionStore::create).
    pub async fn create_session(&self, scope: &Scope, session: NewSession) -> Result<SessionSummary, StoreError> {
        let created = self.inner.parts.store.create(scope, session).await?;
        self.inner.user_changes.report(scope, UserChange::Session(created.id));
        Ok(created)
    }

    /// Creates a session that continues from the messages of another one.
    ///
    /// # Errors
    /// See [`SessionStore::fork`](turnkit_core::ports::SessionStore::fork).
    pub async fn fork_session(&self, scope: &Scope, fork: Fork) -> Result<SessionSummary, StoreError> {
        let created = self.inner.parts.store.fork(scope, fork).await?;
        self.inner.user_changes.report(scope, UserChange::Session(created.id));
        Ok(created)
    }

    /// Edits a session and returns its new summary. If the edit moves the head of the session while a chore runs, the
    /// chore is stopped: its result would belong to a branch that the user has left.
    ///
    /// # Errors
    /// See [`SessionStore::edit`](turnkit_core::ports::SessionStore::edit).
    pub async fn edit_session(
        &self,
        scope: &Scope,
        session: SessionId,
        edit: SessionEdit,
    ) -> Result<SessionSummary, StoreError> {
        let (service, scope) = (self.clone(), scope.clone());
        self.run_to_completion(async move { service.edit_and_stop(&scope, session, edit).await }).await
    }

    async fn edit_and_stop(
        &self,
        scope: &Scope,
        session: SessionId,
        edit: SessionEdit,
    ) -> Result<SessionSummary, StoreError> {
        let moves_head = edit.head.is_some();
        let edited = self.inner.parts.store.edit(scope, session, edit).await?;
        self.inner.user_changes.report(scope, UserChange::Session(session));
        if moves_head && let Err(error) = self.stop_chore(scope, session).await {
            // The chore ends at its next boundary.
            tracing::warn!(%session, %error, "could not stop the turn of a branch that was left");
        }
        Ok(edited)
    }

    /// Signals the owner of the chore that the store stopped when the head was moved.
    async fn stop_chore(&self, scope: &Scope, session: SessionId) -> Result<(), StoreError> {
        let store = &self.inner.parts.store;
        let UnfinishedTurns { active: Some(active), .. } = store.unfinished_turns(scope, session).await? else {
            return Ok(());
        };
        // A turn that began since then continues.
        if store.turn(scope, active).await?.state == TurnState::Cancelling {
            self.stop(scope, active, StopReason::Superseded).await;
        }
        Ok(())
    }
}
