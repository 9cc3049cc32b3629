//! The body of an event stream: the events of a turn, a session or several sessions, encoded in one protocol as they
//! happen.

mod batch;
mod feed;
mod session;
#[cfg(test)]
mod tests;
mod turn;
mod user;
mod whole;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http_body::Frame;
use tokio::task::unconstrained;
use tokio::time::{Instant, Sleep};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use turnkit_core::ports::Detach;
use turnkit_core::{Cursor, Frames, SessionId, SessionName, StoreError, TurnId};
use turnkit_engine::{SessionFeed, TurnFeed};

pub(crate) use self::feed::{FeedSource, OpenSession, OpenedSession};
pub(crate) use self::session::{ReadTurns, SessionSource, SnapshotWithTurns};
pub(crate) use self::turn::TurnSource;
pub(crate) use self::user::UserSource;
pub(crate) use self::whole::whole;
use crate::app::App;
use crate::auth::Principal;
use crate::dialect::{Dialect, StreamContext};
use crate::metrics::OpenStream;

/// The interval of comments on an idle stream, so that neither the client nor a proxy considers it dead.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// The approximate size of one write of a stream, in bytes. A client that joins a long turn late receives it in pieces.
const MAX_BYTES: usize = 8 * 1024;

/// The header that names the turn of a response.
pub(crate) static X_TURN_ID: HeaderName = HeaderName::from_static("x-turn-id");
static X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// A source of events that are encoded into frames over time.
pub(crate) trait EventSource: Send {
    /// Writes the next item that is available. It may write nothing if the protocol cannot express the item.
    fn poll_next(&mut self, context: &mut Context<'_>, out: &mut Frames) -> Poll<Result<Progress, StoreError>>;

    /// Writes the frames that tell the client that its stream ends early.
    fn detach(&mut self, why: Detach, out: &mut Frames);
}

/// The progress of a source after an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// One item was written.
    Item,
    /// One item was written, and it was the last that had been read. More may have arrived since.
    CaughtUp,
    /// The source has ended.
    Ended,
}

/// The body of one client's stream. The connection's own task polls it; a disconnect only drops it.
pub(crate) struct EventStream<T> {
    source: T,
    frames: Frames,
    ended: bool,
    access_ended: CancellationToken,
    wake_on_access_end: Pin<Box<WaitForCancellationFutureOwned>>,
    stopping: CancellationToken,
    /// The end of the client's token, if it has one.
    expiry: Option<Pin<Box<Sleep>>>,
    last_sent: Instant,
    heartbeat: Pin<Box<Sleep>>,
    /// The waker that `wake_on_access_end`, `expiry` and `heartbeat` will wake.
    registered: Option<Waker>,
    open: OpenStream,
}

/// The signals that end a stream before its source ends.
pub(crate) struct Closing {
    /// Cancelled when the client loses access: its key was revoked, or the server stops.
    pub(crate) access_ended: CancellationToken,
    /// Cancelled when the server stops.
    pub(crate) stopping: CancellationToken,
    /// When the client loses access because its token expires.
    pub(crate) expires_at: Option<Instant>,
}

/// The error after a panic of an encoder. It cuts the stream, so that the client does not consider it complete.
#[derive(Debug)]
pub(crate) struct Cut;

impl<T: EventSource> EventStream<T> {
    /// Creates a stream that encodes into `frames` until the source ends or `closing` ends the stream.
    pub(crate) fn new(source: T, frames: Frames, closing: Closing, open: OpenStream) -> Self {
        Self {
            source,
            frames,
            ended: false,
            wake_on_access_end: Box::pin(closing.access_ended.clone().cancelled_owned()),
            access_ended: closing.access_ended,
            stopping: closing.stopping,
            expiry: closing.expires_at.map(|at| Box::pin(tokio::time::sleep_until(at))),
            last_sent: Instant::now(),
            heartbeat: Box::pin(tokio::time::sleep(HEARTBEAT)),
            registered: None,
            open,
        }
    }

    /// Reads the first frames. Returns `false` if the stream is empty and has ended, so that it need not be started.
    pub(crate) async fn has_items(&mut self) -> bool {
        std::future::poll_fn(|context| {
            while !self.ended && self.frames.is_empty() {
                if self.write_next(context).is_none() {
                    break;
                }
            }
            Poll::Ready(!self.ended || !self.frames.is_empty())
        })
        .await
    }

    /// Writes all items that are available now, up to a limit.
    fn fill(&mut self, context: &mut Context<'_>) {
        while !self.ended && self.frames.len() < MAX_BYTES {
            match self.write_next(context) {
                None => break,
                // The caller polls again before writing, so checking here would be redundant.
                Some(Progress::CaughtUp) if !self.frames.is_empty() => break,
                Some(_) => {}
            }
        }
        if !self.ended {
            self.wait(context);
        }
        if !self.ended && self.has_lost_access() {
            self.end_early(if self.stopping.is_cancelled() { Detach::Stopping } else { Detach::Revoked });
        }
        if !self.ended && self.frames.is_empty() {
            self.heartbeat_if_due(context);
        }
    }

    /// Reports whether the client has lost access, or the server stops.
    fn has_lost_access(&self) -> bool {
        let has_expired = |expiry: &Pin<Box<Sleep>>| expiry.deadline() <= Instant::now();
        self.access_ended.is_cancelled() || self.expiry.as_ref().is_some_and(has_expired)
    }

    /// Writes the next item. Returns `None` if none is available now.
    fn write_next(&mut self, context: &mut Context<'_>) -> Option<Progress> {
        let why = match self.source.poll_next(context, &mut self.frames) {
            Poll::Pending => return None,
            Poll::Ready(Ok(progress)) => {
                self.ended = progress == Progress::Ended || self.frames.has_ended();
                return Some(progress);
            }
            Poll::Ready(Err(StoreError::NotFound)) => Detach::Deleted,
            Poll::Ready(Err(error)) => {
                tracing::warn!(%error, "a stream ends because storage failed");
                Detach::Failed
            }
        };
        self.end_early(why);
        Some(Progress::Ended)
    }

    /// Registers the caller's waker for the end of access and for the next heartbeat. They keep a waker until they get
    /// another one. Replacing it is expensive, because a stream is polled several times for each frame, so the same
    /// waker is registered only once.
    fn wait(&mut self, context: &mut Context<'_>) {
        if self.registered.as_ref().is_some_and(|waker| waker.will_wake(context.waker())) {
            return;
        }
        self.registered = Some(context.waker().clone());
        let _ = self.wake_on_access_end.as_mut().poll(context);
        if let Some(expiry) = &mut self.expiry {
            let _ = pin!(unconstrained(expiry.as_mut())).poll(context);
        }
        self.wait_for_heartbeat(context);
    }

    fn wait_for_heartbeat(&mut self, context: &mut Context<'_>) {
        // A timer that finds the task's coop budget exhausted would not store the waker.
        let _ = pin!(unconstrained(self.heartbeat.as_mut())).poll(context);
    }

    fn end_early(&mut self, why: Detach) {
        self.frames.start_outside_log();
        self.source.detach(why, &mut self.frames);
        self.ended = true;
    }

    /// Writes a comment if nothing was sent for a while. The timer is reset only after it has elapsed, so sending a
    /// frame does not touch it.
    fn heartbeat_if_due(&mut self, context: &mut Context<'_>) {
        while self.heartbeat.is_elapsed() {
            let due = self.last_sent + HEARTBEAT;
            if due <= Instant::now() {
                self.frames.comment();
                return;
            }
            self.heartbeat.as_mut().reset(due);
            self.wait_for_heartbeat(context);
        }
    }

    fn take(&mut self) -> Option<Bytes> {
        if self.frames.is_empty() {
            return None;
        }
        self.last_sent = Instant::now();
        self.open.wrote(self.frames.len());
        Some(self.frames.take())
    }
}

impl<T: EventSource + Unpin> http_body::Body for EventStream<T> {
    type Data = Bytes;
    type Error = Cut;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if catch_unwind(AssertUnwindSafe(|| self.fill(context))).is_err() {
            tracing::error!("an encoder panicked; its stream is cut");
            self.ended = true;
            // The buffer may contain half a frame.
            self.frames.take();
            return Poll::Ready(Some(Err(Cut)));
        }
        match self.take() {
            Some(bytes) => Poll::Ready(Some(Ok(Frame::data(bytes)))),
            None if self.ended => Poll::Ready(None),
            None => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.ended && self.frames.is_empty()
    }
}

impl<T: EventSource + Unpin + 'static> IntoResponse for EventStream<T> {
    fn into_response(self) -> Response {
        response(Body::new(self))
    }
}

/// Creates a response with headers that keep proxies from buffering it.
pub(crate) fn response(events: Body) -> Response {
    let mut response = Response::new(events);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
    headers.insert(X_ACCEL_BUFFERING.clone(), HeaderValue::from_static("no"));
    response
}

/// Creates the stream of a turn for `principal` in a protocol. Events up to `seen` are left out of the output, for
/// protocols whose encoder must start at the beginning.
pub(crate) fn of_turn(
    app: &App,
    principal: &Principal,
    (dialect, context): (&Dialect, &StreamContext),
    (feed, seen): (TurnFeed, Option<Cursor>),
) -> EventStream<TurnSource> {
    let mut frames = Frames::new(dialect.ids || context.ext);
    if let Some(seen) = seen {
        frames.skip_through(seen);
    }
    of_source(app, principal, TurnSource::new(feed, (dialect.encoder)(context)), frames)
}

/// Creates the stream of a session for `principal`. Its snapshots show the turns that `read_turns` reads, or messages.
pub(crate) fn of_session(
    app: &App,
    principal: &Principal,
    feed: SessionFeed,
    read_turns: Option<ReadTurns>,
) -> EventStream<SessionSource> {
    of_source(app, principal, SessionSource::new(feed, read_turns), Frames::new(true))
}

/// Creates the stream of `source` for `principal`.
pub(crate) fn of_source<T: EventSource>(app: &App, principal: &Principal, source: T, frames: Frames) -> EventStream<T> {
    let (access_ended, stopping) = (principal.access_ended.clone(), app.stopping.clone());
    let closing = Closing { access_ended, stopping, expires_at: principal.expires_at };
    EventStream::new(source, frames, closing, app.metrics.stream())
}

/// Returns the name by which clients refer to a session: its name, or else its id. It is the same for every client and
/// every kind of request.
pub(crate) fn session_label(session: SessionId, name: Option<SessionName>) -> String {
    name.map_or_else(|| session.to_string(), String::from)
}

/// Adds the id of the turn to the headers of a response.
pub(crate) fn with_turn_header(turn: TurnId, response: impl IntoResponse) -> Response {
    let mut response = response.into_response();
    if let Ok(id) = HeaderValue::try_from(turn.to_string()) {
        response.headers_mut().insert(X_TURN_ID.clone(), id);
    }
    response
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the stream broke off")
    }
}

impl std::error::Error for Cut {}
