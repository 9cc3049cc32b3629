//! One open connection, polled by the reader of its response.

use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::TrySendError;
use hyper::client::conn::http1::{self, SendRequest};
use hyper::{Request, Response};

use crate::NetError;
use crate::connect::Stream;

/// An HTTP/1.1 connection. Dropping it closes it at once.
#[derive(Debug)]
pub(crate) struct Connection {
    sender: SendRequest<Full<Bytes>>,
    /// None once it is closed.
    open: Option<Box<http1::Connection<Stream, Full<Bytes>>>>,
}

/// Why a connection gave no response.
pub(crate) enum Unanswered {
    /// It was closed before any of the request had been written.
    Unsent(Box<Request<Full<Bytes>>>),
    /// The request may have been read.
    Failed(NetError),
}

impl Connection {
    pub(crate) async fn new(stream: Stream) -> Result<Self, NetError> {
        let (sender, open) = http1::handshake(stream).await.map_err(|error| NetError::of(&error))?;
        Ok(Self { sender, open: Some(Box::new(open)) })
    }

    /// Sends a request and waits for the head of the response.
    pub(crate) async fn send(&mut self, request: Request<Full<Bytes>>) -> Result<Response<Incoming>, Unanswered> {
        let response = self.sender.try_send_request(request);
        // The response comes from this connection, so it is not for tokio to say that it should wait.
        let mut response = pin!(tokio::task::unconstrained(response));
        let answered = std::future::poll_fn(|cx| self.poll_for(cx, |cx| response.as_mut().poll(cx))).await;
        answered.map_err(|mut error: TrySendError<_>| match error.take_message() {
            Some(request) => Unanswered::Unsent(Box::new(request)),
            None => Unanswered::Failed(NetError::of(error.error())),
        })
    }

    /// Reads and writes what can be read and written, until `receive` gets what it takes from this connection.
    ///
    /// The connection would wake the running task for everything it hands over and for room to write. So it is polled with a
    /// no-op waker; the task's waker is registered with the socket only once all work is done.
    pub(crate) fn poll_for<T>(
        &mut self,
        cx: &mut Context<'_>,
        mut receive: impl FnMut(&mut Context<'_>) -> Poll<T>,
    ) -> Poll<T> {
        let mut noop = Context::from_waker(Waker::noop());
        self.work(&mut noop);
        if let Poll::Ready(received) = receive(&mut noop) {
            return Poll::Ready(received);
        }
        self.work(cx);
        receive(&mut noop)
    }

    /// Reports whether it can take a request now. Reads what the peer has sent meanwhile, and registers no waker.
    pub(crate) fn is_ready(&mut self) -> bool {
        self.work(&mut Context::from_waker(Waker::noop()));
        self.open.is_some() && self.sender.is_ready()
    }

    fn work(&mut self, cx: &mut Context<'_>) {
        if let Some(open) = &mut self.open
            && Pin::new(open).poll(cx).is_ready()
        {
            // The response or the body reports the reason to its reader.
            self.open = None;
        }
    }
}
