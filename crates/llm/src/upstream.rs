//! The seam between a transport and where responses come from.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;

use bytes::Bytes;
use futures_core::Stream;
use turnkit_core::ProviderError;
use turnkit_core::ports::BoxFuture;
use turnkit_net::{NetError, Target};

use crate::network_error::unreachable;

/// Where the responses of one endpoint come from: a connection, or a recording.
pub(crate) trait Upstream: fmt::Debug + Send + Sync {
    /// Sends a request and waits for the head of the response.
    fn ask<'a>(&'a self, target: &'a Target, body: &'a Bytes) -> BoxFuture<'a, Result<BoxResponse, ProviderError>>;
}

/// The head of a response, and its body as a stream. Dropping it before its end closes the connection.
pub(crate) trait Response: Stream<Item = Result<Bytes, ProviderError>> + fmt::Debug + Send + Unpin {
    /// The HTTP status.
    fn status(&self) -> u16;

    /// The first value of a header, named in lower case.
    fn header(&self, name: &str) -> Option<&str>;
}

pub(crate) type BoxResponse = Box<dyn Response>;

/// Reads the whole body.
///
/// # Errors
/// The body broke off or has more than `max` bytes.
pub(crate) async fn collect(mut response: BoxResponse, max: usize) -> Result<Vec<u8>, ProviderError> {
    let mut whole = Vec::new();
    while let Some(bytes) = poll_fn(|cx| Pin::new(&mut response).poll_next(cx)).await {
        let bytes = bytes?;
        if bytes.len() > max - whole.len() {
            return Err(unreachable(&NetError::TooLarge));
        }
        whole.extend_from_slice(&bytes);
    }
    Ok(whole)
}
