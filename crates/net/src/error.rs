//! Errors of requests without a complete response.

use std::error::Error;
use std::io;

/// A request that failed below HTTP. No variant carries an address or the value of a header, except the beginning of a
/// `content-encoding` and the host of a proxy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    /// The address cannot be used.
    #[error("not a usable address: {0}")]
    Address(String),
    /// HTTP cannot carry this header.
    #[error("the value of the header {0} contains characters that are not allowed, such as a line break")]
    Header(String),
    /// The host name has no address.
    #[error("the host name could not be resolved")]
    Dns,
    /// The address is not on the public internet, and the client may connect to public addresses only.
    #[error("the address is not public: this machine and private networks are not reached")]
    NotPublic,
    /// No process listens on this address and port.
    #[error("the connection was refused")]
    Refused,
    /// The secure connection failed.
    #[error("no secure connection: {0}")]
    Tls(String),
    /// The connection was not established in time.
    #[error("connecting took too long")]
    ConnectTimeout,
    /// The proxy did not open a connection.
    #[error("the proxy {host}: {reason}")]
    Proxy {
        /// The proxy's host and port.
        host: String,
        /// The cause that the proxy reported or that the connection to it failed with.
        reason: String,
    },
    /// The peer reset the connection.
    #[error("the connection was reset")]
    Reset,
    /// The peer closed the connection before the end of its response.
    #[error("the connection closed before the response was complete")]
    Incomplete,
    /// The response is larger than allowed.
    #[error("the response is larger than its limit")]
    TooLarge,
    /// The content-encoding of the response is not supported. Holds its first 64 characters.
    #[error("the response is encoded as {0:?}, which was not asked for and cannot be read")]
    Encoding(String),
    /// The body does not match its content-encoding.
    #[error("the response is not the {0} that its content-encoding says")]
    Damaged(&'static str),
    /// Any other failure.
    #[error("the connection failed: {0}")]
    Failed(String),
}

impl NetError {
    /// Finds the cause of an error from the HTTP library.
    pub(crate) fn from_error(error: &(dyn Error + 'static)) -> Self {
        let causes = || std::iter::successors(Some(error), |&error| error.source());
        if let Some(known) = causes().find_map(|cause| cause.downcast_ref::<Self>()) {
            return known.clone();
        }
        let closed = |error: &hyper::Error| error.is_incomplete_message() || error.is_canceled() || error.is_closed();
        match causes().find_map(|cause| cause.downcast_ref::<io::Error>()).map(innermost_kind) {
            Some(io::ErrorKind::ConnectionRefused) => Self::Refused,
            Some(io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted | io::ErrorKind::BrokenPipe) => {
                Self::Reset
            }
            Some(io::ErrorKind::UnexpectedEof) => Self::Incomplete,
            None if causes().filter_map(|cause| cause.downcast_ref()).any(closed) => Self::Incomplete,
            _ => Self::Failed(causes().last().map(ToString::to_string).unwrap_or_default()),
        }
    }
}

/// Returns the kind of the innermost I/O error. An I/O error may wrap another one, which `source` skips.
fn innermost_kind(error: &io::Error) -> io::ErrorKind {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<io::Error>());
    inner.map_or(error.kind(), innermost_kind)
}
