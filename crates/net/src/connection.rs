//! An open connection, driven by the reader of its response.

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
    /// `None` once the connection is closed.
    open: Option<Box<http1::Connection<Stream, Full<Bytes>>>>,
}

/// The reason why a request got no response on this connection.
pub(crate) enum Unanswered {
    /// The connection was closed before any of the request had been written.
    Unsent(Box<Request<Full<Bytes>>>),
    /// The request failed, but the peer may have read it.
    Failed(NetError),
}

impl Connection {
    pub(crate) async fn new(stream: Stream) -> Result<Self, NetError> {
        let (sender, open) = http1::handshake(stream).await.map_err(|error| NetError::from_error(&error))?;
        Ok(Self { sender, open: Some(Box::new(open)) })
    }

    /// Sends a request and waits for the head of the response.
    pub(crate) async fn send(&mut self, request: Request<Full<Bytes>>) -> Result<Response<Incoming>, Unanswered> {
        let response = self.sender.try_send_request(request);
        // The response arrives on this connection, so tokio's cooperative budget must not delay it.
        let mut response = pin!(tokio::task::unconstrained(response));
        let answered = std::future::poll_fn(|cx| self.poll_for(cx, |cx| response.as_mut().poll(cx))).await;
        answered.map_err(|mut error: TrySendError<_>| match error.take_message() {
            Some(request) => Unanswered::Unsent(Box::new(request)),
            None => Unanswered::Failed(NetError::from_error(error.error())),
        })
    }

    /// Reads and writes as far as possible, until `receive` gets its data from this connection.
    ///
    /// The connection would wake the running task for every item it delivers and whenever there is room to write. So it
    /// is polled with a no-op waker; the task's waker is registered with the socket only once all work is done.
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

    /// Reports whether the connection can take a request now. Reads what the peer has sent meanwhile, and registers no
    /// waker.
    pub(crate) fn is_ready(&mut self) -> bool {
        self.work(&mut Context::from_waker(Waker::noop()));
        self.open.is_some() && self.sender.is_ready()
    }

    fn work(&mut self, cx: &mut Context<'_>) {
        if let Some(open) = &mut self.open
            && Pin::new(open).poll(cx).is_ready()
        {
            // The reader of the response or body gets the error.
            self.open = None;
        }
    }
}
