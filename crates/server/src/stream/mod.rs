//! The body of an event stream: the events of a turn or a session, encoded in one protocol as they happen.

mod batch;
mod session;
#[cfg(test)]
mod tests;
mod turn;
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

pub(crate) use self::session::SessionTelling;
pub(crate) use self::turn::TurnTelling;
pub(crate) use self::whole::whole;
use crate::app::App;
use crate::auth::Principal;
use crate::dialect::{Dialect, Reader};
use crate::metrics::OpenStream;

/// The interval of comments on an idle stream, so that neither the client nor a proxy considers it dead.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// The approximate size of one write of a stream, in bytes. A client that joins a long turn late receives it in pieces.
const MAX_BYTES: usize = 8 * 1024;

/// The header that names the turn of a response.
pub(crate) static X_TURN_ID: HeaderName = HeaderName::from_static("x-turn-id");
static X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// A source of events that are encoded into frames over time.
pub(crate) trait Telling: Send {
    /// Writes the next item that is available. It may write nothing if the protocol cannot express the item.
    fn poll_tell(&mut self, context: &mut Context<'_>, out: &mut Frames) -> Poll<Result<Told, StoreError>>;

    /// Writes the frames that tell the client that its stream ends early.
    fn detach(&mut self, why: Detach, out: &mut Frames);
}

/// The progress of a source after an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    /// One item was written.
    Piece,
    /// One item was written, and it was the last that had been read. More may have arrived since.
    AllRead,
    /// The source has ended.
    Everything,
}

/// The body of one client's stream. The connection's own task polls it; a disconnect only drops it.
pub(crate) struct EventStream<T> {
    telling: T,
    frames: Frames,
    over: bool,
    gone: CancellationToken,
    wake_when_gone: Pin<Box<WaitForCancellationFutureOwned>>,
    stopping: CancellationToken,
    last_sent: Instant,
    heartbeat: Pin<Box<Sleep>>,
    /// The waker that `wake_when_gone` and `heartbeat` will wake.
    wakes: Option<Waker>,
    open: OpenStream,
}

/// The signals that end a stream before its source ends.
pub(crate) struct Closing {
    /// Cancelled when the client loses access: its key was revoked, or the server stops.
    pub(crate) gone: CancellationToken,
    /// Cancelled when the server stops.
    pub(crate) stopping: CancellationToken,
}

/// The error after a panic of an encoder. It cuts the stream, so that the client does not consider it complete.
#[derive(Debug)]
pub(crate) struct Cut;

impl<T: Telling> EventStream<T> {
    /// Creates a stream that encodes into `frames` until the source ends or `closing` ends the stream.
    pub(crate) fn new(telling: T, frames: Frames, closing: Closing, open: OpenStream) -> Self {
        Self {
            telling,
            frames,
            over: false,
            wake_when_gone: Box::pin(closing.gone.clone().cancelled_owned()),
            gone: closing.gone,
            stopping: closing.stopping,
            last_sent: Instant::now(),
            heartbeat: Box::pin(tokio::time::sleep(HEARTBEAT)),
            wakes: None,
            open,
        }
    }

    /// Reads the first frames. Returns `false` if the stream is empty and has ended, so that it need not be started.
    pub(crate) async fn has_something(&mut self) -> bool {
        std::future::poll_fn(|context| {
            while !self.over && self.frames.is_empty() {
                if self.tell(context).is_none() {
                    break;
                }
            }
            Poll::Ready(!self.over || !self.frames.is_empty())
        })
        .await
    }

    /// Writes all items that are available now, up to a limit.
    fn fill(&mut self, context: &mut Context<'_>) {
        while !self.over && self.frames.len() < MAX_BYTES {
            match self.tell(context) {
                None => break,
                // The caller polls again before writing, so checking here would be redundant.
                Some(Told::AllRead) if !self.frames.is_empty() => break,
                Some(_) => {}
            }
        }
        if !self.over {
            self.wait(context);
        }
        if !self.over && self.gone.is_cancelled() {
            self.end_early(if self.stopping.is_cancelled() { Detach::Stopping } else { Detach::Revoked });
        }
        if !self.over && self.frames.is_empty() {
            self.beat(context);
        }
    }

    /// Writes the next item. Returns `None` if none is available now.
    fn tell(&mut self, context: &mut Context<'_>) -> Option<Told> {
        let why = match self.telling.poll_tell(context, &mut self.frames) {
            Poll::Pending => return None,
            Poll::Ready(Ok(told)) => {
                self.over = told == Told::Everything || self.frames.has_ended();
                return Some(told);
            }
            Poll::Ready(Err(StoreError::NotFound)) => Detach::Deleted,
            Poll::Ready(Err(error)) => {
                tracing::warn!(%error, "a stream ends because storage failed");
                Detach::Failed
            }
        };
        self.end_early(why);
        Some(Told::Everything)
    }

    /// Registers the caller's waker for revoked access and for the next heartbeat. Both keep a waker until they receive
    /// another one. Replacing it is expensive, because a stream is polled several times for each frame, so the same
    /// waker is registered only once.
    fn wait(&mut self, context: &mut Context<'_>) {
        if self.wakes.as_ref().is_some_and(|waker| waker.will_wake(context.waker())) {
            return;
        }
        self.wakes = Some(context.waker().clone());
        let _ = self.wake_when_gone.as_mut().poll(context);
        self.wait_for_heartbeat(context);
    }

    fn wait_for_heartbeat(&mut self, context: &mut Context<'_>) {
        // A timer that finds the task's coop budget exhausted would not store the waker.
        let _ = pin!(unconstrained(self.heartbeat.as_mut())).poll(context);
    }

    fn end_early(&mut self, why: Detach) {
        self.frames.start_outside_log();
        self.telling.detach(why, &mut self.frames);
        self.over = true;
    }

    /// Writes a comment if nothing was sent for a while. The timer is reset only after it has elapsed, so sending a
    /// frame does not touch it.
    fn beat(&mut self, context: &mut Context<'_>) {
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

impl<T: Telling + Unpin> http_body::Body for EventStream<T> {
    type Data = Bytes;
    type Error = Cut;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if catch_unwind(AssertUnwindSafe(|| self.fill(context))).is_err() {
            tracing::error!("an encoder panicked; its stream is cut");
            self.over = true;
            // The buffer may contain half a frame.
            self.frames.take();
            return Poll::Ready(Some(Err(Cut)));
        }
        match self.take() {
            Some(bytes) => Poll::Ready(Some(Ok(Frame::data(bytes)))),
            None if self.over => Poll::Ready(None),
            None => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.over && self.frames.is_empty()
    }
}

impl<T: Telling + Unpin + 'static> IntoResponse for EventStream<T> {
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
    (dialect, reader): (&Dialect, &Reader),
    (feed, seen): (TurnFeed, Option<Cursor>),
) -> EventStream<TurnTelling> {
    let mut frames = Frames::new(dialect.ids || reader.ext);
    if let Some(seen) = seen {
        frames.skip_through(seen);
    }
    let telling = TurnTelling::new(feed, (dialect.encoder)(reader));
    EventStream::new(telling, frames, closing(app, principal), app.metrics.stream())
}

/// Creates the stream of a session for `principal`.
pub(crate) fn of_session(app: &App, principal: &Principal, feed: SessionFeed) -> EventStream<SessionTelling> {
    EventStream::new(SessionTelling::new(feed), Frames::new(true), closing(app, principal), app.metrics.stream())
}

/// Returns the name by which clients refer to a session: its name, or else its id. It is the same for every client and
/// every kind of request.
pub(crate) fn called(session: SessionId, name: Option<SessionName>) -> String {
    name.map_or_else(|| session.to_string(), String::from)
}

fn closing(app: &App, principal: &Principal) -> Closing {
    Closing { gone: principal.gone.clone(), stopping: app.stopping.clone() }
}

/// Adds the id of the turn to the headers of a response.
pub(crate) fn about(turn: TurnId, response: impl IntoResponse) -> Response {
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
