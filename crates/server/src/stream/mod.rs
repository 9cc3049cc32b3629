//! The body of an event stream: what is told, as it comes, in the words of one protocol.

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

/// A silent stream gets a comment this often, so that neither its reader nor anything between takes it for dead.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// A stream writes about so many bytes at once. Who comes late to a long turn gets it in pieces.
const MOST_BYTES: usize = 8 * 1024;

/// The header that names the turn of a response.
pub(crate) static X_TURN_ID: HeaderName = HeaderName::from_static("x-turn-id");
static X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// Something that can be told over time, in frames.
pub(crate) trait Telling: Send {
    /// Writes the next piece of what has come. It may write nothing, where the protocol has no word for it.
    fn poll_tell(&mut self, context: &mut Context<'_>, out: &mut Frames) -> Poll<Result<Told, StoreError>>;

    /// Writes what tells the reader that its stream ends early.
    fn detach(&mut self, why: Detach, out: &mut Frames);
}

/// Whether there is more to tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    /// A piece was told.
    Piece,
    /// A piece was told, and with it all that was read. More may have come meanwhile.
    AllRead,
    /// Nothing will come any more.
    Everything,
}

/// The body of one reader's stream. It is polled by the connection's own task; dropping it is all that a disconnect is.
pub(crate) struct EventStream<T> {
    telling: T,
    frames: Frames,
    over: bool,
    gone: CancellationToken,
    wake_when_gone: Pin<Box<WaitForCancellationFutureOwned>>,
    stopping: CancellationToken,
    last_sent: Instant,
    heartbeat: Pin<Box<Sleep>>,
    /// Whom `wake_when_gone` and `heartbeat` wake.
    wakes: Option<Waker>,
    open: OpenStream,
}

/// What ends a stream before all is told.
pub(crate) struct Closing {
    /// The reader may not read any more: its key was revoked, or the server stops.
    pub(crate) gone: CancellationToken,
    /// The server stops.
    pub(crate) stopping: CancellationToken,
}

/// An encoder panicked: the stream is cut, so that its reader does not take it for whole.
#[derive(Debug)]
pub(crate) struct Cut;

impl<T: Telling> EventStream<T> {
    /// Tells in `frames` until there is nothing more to tell or the reader is `gone`.
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

    /// Reads what is there. `false` if that is nothing and nothing will come: there is no stream worth beginning.
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

    /// Writes all that can be told now, up to a limit.
    fn fill(&mut self, context: &mut Context<'_>) {
        while !self.over && self.frames.len() < MOST_BYTES {
            match self.tell(context) {
                None => break,
                // Whoever polls comes again for more before it writes: to look here too would be once too often.
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

    /// Writes the next piece; `None` if there is none now.
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

    /// Has whoever polls woken when the reader is gone and when a heartbeat is due. Both keep a waker until they get
    /// another, and to give it to them is dear: a stream is polled several times for each frame.
    fn wait(&mut self, context: &mut Context<'_>) {
        if self.wakes.as_ref().is_some_and(|waker| waker.will_wake(context.waker())) {
            return;
        }
        self.wakes = Some(context.waker().clone());
        let _ = self.wake_when_gone.as_mut().poll(context);
        self.wait_for_heartbeat(context);
    }

    fn wait_for_heartbeat(&mut self, context: &mut Context<'_>) {
        // A timer that finds the task's budget used up would not keep the waker.
        let _ = pin!(unconstrained(self.heartbeat.as_mut())).poll(context);
    }

    fn end_early(&mut self, why: Detach) {
        self.frames.begin_beside_log();
        self.telling.detach(why, &mut self.frames);
        self.over = true;
    }

    /// Writes a comment if nothing was sent for long. The timer is set anew only when it has run down: a frame costs it
    /// nothing.
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
            // Half a frame may be among them.
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

/// A response that nothing on its way should hold back.
pub(crate) fn response(events: Body) -> Response {
    let mut response = Response::new(events);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
    headers.insert(X_ACCEL_BUFFERING.clone(), HeaderValue::from_static("no"));
    response
}

/// A turn, told to `principal` in a protocol; without what it has `seen`, where the protocol must begin at the start to
/// know where it is.
pub(crate) fn of_turn(
    app: &App,
    principal: &Principal,
    (dialect, reader): (&Dialect, &Reader),
    (feed, seen): (TurnFeed, Option<Cursor>),
) -> EventStream<TurnTelling> {
    let mut frames = Frames::new(dialect.ids || reader.ext);
    if let Some(seen) = seen {
        frames.leave_out_up_to(seen);
    }
    let telling = TurnTelling::new(feed, (dialect.encoder)(reader));
    EventStream::new(telling, frames, closing(app, principal), app.metrics.stream())
}

/// A session, told to `principal`.
pub(crate) fn of_session(app: &App, principal: &Principal, feed: SessionFeed) -> EventStream<SessionTelling> {
    EventStream::new(SessionTelling::new(feed), Frames::new(true), closing(app, principal), app.metrics.stream())
}

/// What a session is called, the same whoever asks and however it was asked for: its name, else its id.
pub(crate) fn called(session: SessionId, name: Option<SessionName>) -> String {
    name.map_or_else(|| session.to_string(), String::from)
}

fn closing(app: &App, principal: &Principal) -> Closing {
    Closing { gone: principal.gone.clone(), stopping: app.stopping.clone() }
}

/// `response`, with the turn it is about in its head.
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
