//! The event source of a user: changes among the user's sessions and open interactions.

use std::task::{Context, Poll, ready};

use serde::Serialize;
use turnkit_core::{Frames, SessionId, StoreError};
use turnkit_engine::{UserFeed, UserUpdate};

use super::Progress;
use crate::dialect::native::SessionBody;

/// The changes of a user, encoded in frames without cursors.
pub(crate) struct UserSource {
    feed: UserFeed,
    /// The sessions whose own feeds report their deletion.
    followed: Vec<SessionId>,
}

/// The data of `session.changed`.
#[derive(Serialize)]
struct SessionChangedBody<'a> {
    session_id: SessionId,
    /// The session as lists contain it.
    session: SessionBody<'a>,
    /// Whether a turn of the session runs or waits for a decision.
    running: bool,
}

/// The data of `session.removed`.
#[derive(Serialize)]
struct SessionRemovedBody {
    session_id: SessionId,
}

/// The data of `interactions.changed`. The client reads the list of interactions.
#[derive(Serialize)]
struct InteractionsChangedBody {}

impl UserSource {
    /// Creates a source that reads from `feed`. It does not report deletions of the sessions in `followed`.
    pub(crate) fn new(feed: UserFeed, followed: Vec<SessionId>) -> Self {
        Self { feed, followed }
    }

    /// Writes the next change. Ends if changes were missed: a client that reconnects reads the lists again.
    pub(super) fn poll_next(
        &mut self,
        context: &mut Context<'_>,
        out: &mut Frames,
    ) -> Poll<Result<Progress, StoreError>> {
        let update = loop {
            match ready!(self.feed.poll_next(context))? {
                UserUpdate::Removed(session) if self.followed.contains(&session) => {}
                update => break update,
            }
        };
        out.set_session(None);
        out.start_outside_log();
        match update {
            UserUpdate::Session { session, running } => {
                let session = SessionBody::new(&session);
                let changed = SessionChangedBody { session_id: session.id, session, running };
                out.json(Some("session.changed"), &changed);
            }
            UserUpdate::Removed(session) => write_removed(session, out),
            UserUpdate::Interactions => out.json(Some("interactions.changed"), &InteractionsChangedBody {}),
            UserUpdate::Missed => return Poll::Ready(Ok(Progress::Ended)),
        }
        Poll::Ready(Ok(Progress::Item))
    }
}

/// Writes that a session does not exist, or no longer.
pub(super) fn write_removed(session: SessionId, out: &mut Frames) {
    out.set_session(None);
    out.start_outside_log();
    out.json(Some("session.removed"), &SessionRemovedBody { session_id: session });
}
