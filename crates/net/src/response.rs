//! What came back.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;
use hyper::body::{Body as _, Incoming};

use crate::NetError;

/// The head of a response, and its body yet to be read.
#[derive(Debug)]
pub struct Response {
    response: hyper::Response<Incoming>,
    max_body: usize,
}

impl Response {
    pub(crate) fn new(response: hyper::Response<Incoming>, max_body: usize) -> Self {
        Self { response, max_body }
    }

    /// The HTTP status.
    pub fn status(&self) -> u16 {
        self.response.status().as_u16()
    }

    /// The first value of a header, if it is visible ASCII.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.response.headers().get(name)?.to_str().ok()
    }

    /// The body.
    pub fn into_body(self) -> Body {
        Body { incoming: self.response.into_body(), left: self.max_body }
    }
}

/// A body, as it arrives. Dropping it before its end closes the connection.
#[derive(Debug)]
pub struct Body {
    incoming: Incoming,
    left: usize,
}

impl Body {
    /// The whole body.
    ///
    /// # Errors
    /// It broke off, or has more than `max` bytes.
    pub async fn collect(mut self, max: usize) -> Result<Vec<u8>, NetError> {
        self.left = self.left.min(max);
        let mut whole = Vec::new();
        while let Some(read) = std::future::poll_fn(|cx| Pin::new(&mut self).poll_next(cx)).await {
            whole.extend_from_slice(&read?);
        }
        Ok(whole)
    }
}

impl Stream for Body {
    type Item = Result<Bytes, NetError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            let Some(frame) = ready!(Pin::new(&mut self.incoming).poll_frame(cx)) else { return Poll::Ready(None) };
            // What is no data are trailers, which nobody reads.
            let Ok(bytes) = frame.map_err(|error| NetError::of(&error))?.into_data() else { continue };
            self.left = self.left.checked_sub(bytes.len()).ok_or(NetError::TooLarge)?;
            return Poll::Ready(Some(Ok(bytes)));
        }
    }
}
