//! A follower of a user: what changes among the user's sessions and open interactions.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use turnkit_core::ports::BoxFuture;
use turnkit_core::{Scope, SessionId, SessionSummary, StoreError, Watch};

use super::TurnService;
use super::user_changes::{Mailbox, UserChange};

/// The result of one read of a user's feed.
#[derive(Debug, Clone, PartialEq)]
pub enum UserUpdate {
    /// A session that lists contain was created or changed, or a turn of it began or ended.
    Session {
        /// The session as it is now.
        session: Box<SessionSummary>,
        /// Whether a turn of the session runs or waits for a decision.
        running: bool,
    },
    /// A session was deleted.
    Removed(SessionId),
    /// The interactions that the user's turns wait for have changed.
    Interactions,
    /// The follower was too slow to be told of every change: it has to read the lists again.
    Missed,
}

/// A follower of a user. It learns of changes by this process from its start on, but not of the state before. Changes
/// that follow each other may be reported as one.
pub struct UserFeed {
    service: TurnService,
    scope: Scope,
    mailbox: Arc<Mailbox>,
    changes: Watch,
    /// The update about a change, while it is read.
    reading: Option<BoxFuture<'static, Result<Option<UserUpdate>, StoreError>>>,
}

impl TurnService {
    /// Follows the sessions and open interactions of a user.
    pub fn follow_user(&self, scope: &Scope) -> UserFeed {
        let mailbox = self.inner.user_changes.add(scope);
        let changes = mailbox.watch();
        UserFeed { service: self.clone(), scope: scope.clone(), mailbox, changes, reading: None }
    }

    /// Reports a change of a session to its followers and to those of its user. The change is already stored.
    pub(super) fn session_changed(&self, scope: &Scope, session: SessionId) {
        self.inner.parts.broker.changed(session);
        self.inner.user_changes.report(scope, UserChange::Session(session));
    }
}

impl UserFeed {
    /// Returns the next update.
    ///
    /// # Errors
    /// Storage failed.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Result<UserUpdate, StoreError>> {
        loop {
            if let Some(reading) = &mut self.reading {
                let read = ready!(reading.as_mut().poll(context));
                self.reading = None;
                if let Some(update) = read? {
                    return Poll::Ready(Ok(update));
                }
            }
            while self.changes.poll_changed(context).is_ready() {}
            let Some(change) = self.mailbox.take() else { return Poll::Pending };
            self.reading = Some(Box::pin(update(self.service.clone(), self.scope.clone(), change)));
        }
    }

    /// Returns the next update.
    ///
    /// # Errors
    /// See [`poll_next`](Self::poll_next).
    pub async fn next(&mut self) -> Result<UserUpdate, StoreError> {
        poll_fn(|context| self.poll_next(context)).await
    }
}

impl Drop for UserFeed {
    fn drop(&mut self) {
        self.service.inner.user_changes.remove(&self.scope, &self.mailbox);
    }
}

/// Returns the update about a change, or `None` if the change does not concern the user.
async fn update(service: TurnService, scope: Scope, change: UserChange) -> Result<Option<UserUpdate>, StoreError> {
    let read = match change {
        UserChange::Session(session) => session_update(&service, &scope, session).await,
        UserChange::Removed(session) => Ok(Some(UserUpdate::Removed(session))),
        UserChange::Interactions => Ok(Some(UserUpdate::Interactions)),
        UserChange::Expired(session) => {
            service.inner.parts.store.summary(&scope, session).await.map(|_| Some(UserUpdate::Interactions))
        }
        UserChange::Missed => Ok(Some(UserUpdate::Missed)),
    };
    match read {
        // The deletion is reported by itself. Lists name damaged sessions separately.
        Err(StoreError::NotFound | StoreError::Corrupt(_)) => Ok(None),
        read => read,
    }
}

async fn session_update(
    service: &TurnService,
    scope: &Scope,
    session: SessionId,
) -> Result<Option<UserUpdate>, StoreError> {
    let store = &service.inner.parts.store;
    let summary = store.summary(scope, session).await?;
    if !summary.listed {
        return Ok(None);
    }
    let running = store.unfinished_turns(scope, session).await?.active.is_some();
    Ok(Some(UserUpdate::Session { session: Box::new(summary), running }))
}
