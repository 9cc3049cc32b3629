//! The response to a request.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;
use hyper::StatusCode;
use hyper::body::{Body as _, Incoming};
use hyper::header::HeaderMap;

use crate::NetError;
use crate::connection::Connection;
use crate::encoding::Encoded;
use crate::pool::Pool;

/// The head of a response, and its unread body.
#[derive(Debug)]
pub struct Response {
    status: StatusCode,
    headers: HeaderMap,
    body: Body,
}

impl Response {
    pub(crate) fn new(response: hyper::Response<Incoming>, connection: PooledConnection, max_body: usize) -> Self {
        let (head, incoming) = response.into_parts();
        let body = Body::new(incoming, connection, Encoded::from_headers(&head.headers, max_body), max_body);
        Self { status: head.status, headers: head.headers, body }
    }

    /// The HTTP status.
    pub fn status(&self) -> u16 {
        self.status.as_u16()
    }

    /// Returns the first value of a header, if it is visible ASCII.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Returns the unread body.
    pub fn into_body(self) -> Body {
        self.body
    }
}

/// A body as it arrives, decoded if it was sent as gzip or brotli. Dropping it before its end closes the connection.
#[derive(Debug)]
pub struct Body {
    incoming: Incoming,
    /// The connection that delivers the rest of the body; `None` once the body has ended.
    connection: Option<PooledConnection>,
    /// The decoder of the body; `None` if it is not encoded.
    encoded: Option<Box<Encoded>>,
    left: usize,
}

/// A connection in use, and the pool it returns to when it is free.
#[derive(Debug)]
pub(crate) struct PooledConnection {
    pub(crate) connection: Connection,
    pub(crate) pool: Arc<Pool>,
    pub(crate) origin: Arc<str>,
}

impl Body {
    fn new(incoming: Incoming, connection: PooledConnection, encoded: Option<Box<Encoded>>, max_body: usize) -> Self {
        let mut body = Self { incoming, connection: Some(connection), encoded, left: max_body };
        if body.incoming.is_end_stream() {
            body.return_to_pool();
        }
        body
    }

    /// Reads the whole body.
    ///
    /// # Errors
    /// The body was incomplete or longer than `max` bytes.
    pub async fn collect(mut self, max: usize) -> Result<Vec<u8>, NetError> {
        self.left = self.left.min(max);
        let mut whole = Vec::new();
        while let Some(read) = std::future::poll_fn(|cx| Pin::new(&mut self).poll_next(cx)).await {
            whole.extend_from_slice(&read?);
        }
        Ok(whole)
    }

    fn take(&mut self, read: Result<hyper::body::Frame<Bytes>, hyper::Error>) -> Result<Option<Bytes>, NetError> {
        // Frames other than data are trailers, which are ignored.
        let Ok(bytes) = read.map_err(|error| NetError::from_error(&error))?.into_data() else { return Ok(None) };
        let bytes = match &mut self.encoded {
            None => bytes,
            Some(encoded) => match encoded.take(&bytes, self.left)? {
                decoded if decoded.is_empty() => return Ok(None),
                decoded => decoded,
            },
        };
        self.left = self.left.checked_sub(bytes.len()).ok_or(NetError::TooLarge)?;
        Ok(Some(bytes))
    }

    /// Returns the connection to the pool after the end of the response.
    fn return_to_pool(&mut self) {
        if let Some(PooledConnection { connection, pool, origin }) = self.connection.take() {
            pool.put(&origin, connection);
        }
    }
}

/// Yields chunks as the peer has sent them. All chunks from one read are ready without waiting.
impl Stream for Body {
    type Item = Result<Bytes, NetError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            let Self { incoming, connection: Some(lent), .. } = &mut *self else { return Poll::Ready(None) };
            let read = lent.connection.poll_for(cx, |cx| Pin::new(&mut *incoming).poll_frame(cx));
            let Some(read) = ready!(read) else {
                self.return_to_pool();
                let ended = self.encoded.take().map(|mut encoded| encoded.end());
                return Poll::Ready(ended.and_then(Result::err).map(Err));
            };
            match self.take(read).transpose() {
                None => {}
                Some(Ok(bytes)) => return Poll::Ready(Some(Ok(bytes))),
                Some(Err(error)) => {
                    self.connection = None;
                    return Poll::Ready(Some(Err(error)));
                }
            }
        }
    }
}
