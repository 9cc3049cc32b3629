//! The event source of a browser: several sessions, and the changes among all sessions of their user.

use std::collections::VecDeque;
use std::task::{Context, Poll};

use turnkit_core::ports::{BoxFuture, Detach};
use turnkit_core::{Cursor, Frames, SessionId, StoreError};

use super::user::write_removed;
use super::{EventSource, Progress, SessionSource, UserSource};

/// Several sessions and optionally their user, encoded in native frames whose data name the session.
///
/// The members are read in turn, one item each, so that none keeps another from being read. The sessions are opened one
/// after the other, and a session becomes a member with its first item: that may be a large snapshot, of which only one
/// is in memory then.
pub(crate) struct FeedSource {
    open: OpenSession,
    /// The sessions to open, with the last cursor that the client has of each.
    unopened: VecDeque<(SessionId, Option<Cursor>)>,
    opening: Option<Opening>,
    /// The members, the next one to read first.
    members: VecDeque<Member>,
}

/// Opens the feed of a session after a cursor.
pub(crate) type OpenSession = Box<dyn Fn(SessionId, Option<Cursor>) -> OpenedSession + Send>;

/// The feed of a session that is being opened.
pub(crate) type OpenedSession = BoxFuture<'static, Result<SessionSource, StoreError>>;

/// A session whose first item was not written yet.
enum Opening {
    Feed(SessionId, OpenedSession),
    FirstItem(SessionId, Box<SessionSource>),
}

enum Member {
    Session(SessionId, Box<SessionSource>),
    User(Box<UserSource>),
}

impl FeedSource {
    /// Creates a source of `sessions`, which `open` opens, and of the changes that `user` reports.
    pub(crate) fn new(open: OpenSession, sessions: Vec<(SessionId, Option<Cursor>)>, user: Option<UserSource>) -> Self {
        let members = user.map(|user| Member::User(Box::new(user))).into_iter().collect();
        Self { open, unopened: sessions.into(), opening: None, members }
    }

    /// Opens the next session and writes its first item.
    fn poll_opening(&mut self, context: &mut Context<'_>, out: &mut Frames) -> Poll<Result<Progress, StoreError>> {
        loop {
            match self.opening.take() {
                None => {
                    let Some((session, after)) = self.unopened.pop_front() else { return Poll::Pending };
                    self.opening = Some(Opening::Feed(session, (self.open)(session, after)));
                }
                Some(Opening::Feed(session, mut feed)) => match feed.as_mut().poll(context) {
                    Poll::Pending => {
                        self.opening = Some(Opening::Feed(session, feed));
                        return Poll::Pending;
                    }
                    Poll::Ready(Ok(source)) => self.opening = Some(Opening::FirstItem(session, Box::new(source))),
                    Poll::Ready(Err(error)) => return Poll::Ready(without(session, error, out)),
                },
                Some(Opening::FirstItem(session, mut source)) => {
                    out.set_session(Some(session));
                    let Poll::Ready(read) = source.poll_next(context, out) else {
                        self.opening = Some(Opening::FirstItem(session, source));
                        return Poll::Pending;
                    };
                    return Poll::Ready(self.after(read, Member::Session(session, source), out));
                }
            }
        }
    }

    /// Writes the next item of a member that has one.
    fn poll_members(&mut self, context: &mut Context<'_>, out: &mut Frames) -> Poll<Result<Progress, StoreError>> {
        for _ in 0..self.members.len() {
            let Some(mut member) = self.members.pop_front() else { break };
            match member.poll_next(context, out) {
                Poll::Pending => self.members.push_back(member),
                Poll::Ready(read) => return Poll::Ready(self.after(read, member, out)),
            }
        }
        Poll::Pending
    }

    /// Keeps a member that was read, to be read again after the others. Reports a session that is gone.
    fn after(
        &mut self,
        read: Result<Progress, StoreError>,
        member: Member,
        out: &mut Frames,
    ) -> Result<Progress, StoreError> {
        match (read, member) {
            (Ok(Progress::Ended), Member::Session(session, _)) => without(session, StoreError::NotFound, out),
            (Err(error), Member::Session(session, _)) => without(session, error, out),
            (Ok(progress @ (Progress::Item | Progress::CaughtUp)), member) => {
                self.members.push_back(member);
                Ok(progress)
            }
            (read, _) => read,
        }
    }
}

/// Continues without a session that cannot be read, unless storage failed for all of them.
fn without(session: SessionId, error: StoreError, out: &mut Frames) -> Result<Progress, StoreError> {
    match error {
        StoreError::NotFound => write_removed(session, out),
        StoreError::Corrupt(_) => tracing::warn!(%session, %error, "a stream goes on without a damaged session"),
        error => return Err(error),
    }
    Ok(Progress::Item)
}

impl EventSource for FeedSource {
    fn poll_next(&mut self, context: &mut Context<'_>, out: &mut Frames) -> Poll<Result<Progress, StoreError>> {
        let opened = self.poll_opening(context, out);
        if opened.is_ready() {
            return opened;
        }
        if self.members.is_empty() && self.opening.is_none() {
            return Poll::Ready(Ok(Progress::Ended));
        }
        self.poll_members(context, out)
    }

    /// Writes nothing: a client that follows sessions reconnects by itself.
    fn detach(&mut self, _: Detach, _: &mut Frames) {}
}

impl Member {
    fn poll_next(&mut self, context: &mut Context<'_>, out: &mut Frames) -> Poll<Result<Progress, StoreError>> {
        match self {
            Self::Session(session, source) => {
                out.set_session(Some(*session));
                source.poll_next(context, out)
            }
            Self::User(source) => source.poll_next(context, out),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, poll_fn, ready};
    use std::pin::Pin;

    use http_body::Body as _;
    use tokio::time::Instant;
    use tokio_util::sync::CancellationToken;
    use uuid::Uuid;

    use super::*;
    use crate::metrics::OpenStream;
    use crate::stream::{Closing, EventStream};

    fn session(number: u128) -> SessionId {
        SessionId(Uuid::from_u128(number))
    }

    /// Returns a stream of this many sessions.
    fn stream(sessions: u128, open: OpenSession) -> EventStream<FeedSource> {
        let sessions = (0..sessions).map(|number| (session(number), None)).collect();
        let source = FeedSource::new(open, sessions, None);
        let (access_ended, stopping) = (CancellationToken::new(), CancellationToken::new());
        let closing = Closing { access_ended, stopping, expires_at: None };
        EventStream::new(source, Frames::new(true), closing, OpenStream::default())
    }

    /// Returns the next write, or `None` at the end.
    async fn next(stream: &mut EventStream<FeedSource>) -> Option<String> {
        let frame = poll_fn(|context| Pin::new(&mut *stream).poll_frame(context)).await?;
        Some(String::from_utf8(frame.unwrap().into_data().unwrap().to_vec()).unwrap())
    }

    #[tokio::test(start_paused = true)]
    async fn a_session_that_cannot_be_opened_is_left_out_unless_storage_fails() {
        let damaged = StoreError::Corrupt("a row".to_owned());
        let failed = StoreError::Unavailable("no disk".to_owned());
        for (second, removed) in [(damaged, &[0, 2][..]), (failed, &[0][..])] {
            let errors = [StoreError::NotFound, second, StoreError::NotFound];
            let open: OpenSession = Box::new(move |asked: SessionId, _: Option<Cursor>| -> OpenedSession {
                let place = usize::try_from(asked.0.as_u128()).unwrap();
                Box::pin(ready(Err(errors[place].clone())))
            });
            let mut stream = stream(3, open);
            let frame = |number: &u128| {
                let session = session(*number);
                format!("event: session.removed\ndata: {{\"session_id\":\"{session}\"}}\n\n")
            };
            let expected: String = removed.iter().map(frame).collect();
            assert_eq!(next(&mut stream).await, Some(expected));
            assert_eq!(next(&mut stream).await, None);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_silent_stream_of_sessions_has_a_comment_every_fifteen_seconds() {
        let mut stream = stream(2, Box::new(|_, _| -> OpenedSession { Box::pin(pending()) }));
        let start = Instant::now();
        for beat in 1..=3 {
            assert_eq!(next(&mut stream).await.as_deref(), Some(":\n\n"));
            assert_eq!(start.elapsed().as_secs(), 15 * beat);
        }
    }
}
