//! Abstraction over the source of a transport's responses.

use std::fmt::Debug;

use bytes::Bytes;
use futures_core::Stream;
use turnkit_core::ProviderError;
use turnkit_net::Target;

/// The source of an endpoint's responses: the network, or a recording. It is a type parameter of the transport, so
/// neither a call nor a chunk of a body uses dynamic dispatch.
pub(crate) trait Upstream: Debug + Send + Sync {
    /// The type of a response.
    type Response: UpstreamResponse;

    /// Sends a request and waits for the head of the response.
    ///
    /// # Errors
    /// There was no response.
    fn send(&self, target: &Target, body: &Bytes)
    -> impl Future<Output = Result<Self::Response, ProviderError>> + Send;
}

/// The head of a response, and its unread body.
pub(crate) trait UpstreamResponse: Debug + Send + 'static {
    /// The body, as it arrives. Dropping it before its end closes the connection.
    type Body: Stream<Item = Result<Bytes, ProviderError>> + Debug + Send + Unpin;

    /// The HTTP status.
    fn status(&self) -> u16;

    /// Returns the first value of a header, named in lower case.
    fn header(&self, name: &str) -> Option<&str>;

    /// Returns the body.
    fn into_body(self) -> Self::Body;

    /// Reads the whole body.
    ///
    /// # Errors
    /// The body is incomplete, or has more than `max` bytes.
    fn collect(self, max: usize) -> impl Future<Output = Result<Vec<u8>, ProviderError>> + Send;
}
