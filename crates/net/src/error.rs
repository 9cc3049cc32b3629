//! Why there is no response, or not all of it.

use std::error::Error;
use std::io;

/// A request that failed below HTTP. No variant carries an address or the value of a header,
/// except the beginning of a `content-encoding` and the host of a proxy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    /// The address cannot be used.
    #[error("not a usable address: {0}")]
    Address(String),
    /// HTTP cannot carry this header.
    #[error("the value of the header {0} holds characters HTTP cannot carry")]
    Header(String),
    /// The name has no address.
    #[error("the host name could not be resolved")]
    Dns,
    /// The address is not of the public internet, and the client reaches no other.
    #[error("the address is not public: this machine and private networks are not reached")]
    NotPublic,
    /// Nobody listens there.
    #[error("the connection was refused")]
    Refused,
    /// No secure connection came about.
    #[error("no secure connection: {0}")]
    Tls(String),
    /// The connection was not there in time.
    #[error("connecting took too long")]
    ConnectTimeout,
    /// The proxy opened no connection.
    #[error("the proxy {host}: {why}")]
    Proxy {
        /// The proxy's host and port.
        host: String,
        /// What went wrong there.
        why: String,
    },
    /// The other side closed the connection by force.
    #[error("the connection was reset")]
    Reset,
    /// The other side closed the connection before the end of its response.
    #[error("the connection closed before the response was whole")]
    Incomplete,
    /// The response is larger than allowed.
    #[error("the response is larger than its limit")]
    TooLarge,
    /// The content-encoding of the response is not supported; its first 64 characters.
    #[error("the response is encoded as {0:?}, which was not asked for and cannot be read")]
    Encoding(String),
    /// The body does not match its content-encoding.
    #[error("the response is not the {0} that its content-encoding says")]
    Damaged(&'static str),
    /// Something else.
    #[error("the connection failed: {0}")]
    Failed(String),
}

impl NetError {
    /// What an error of the HTTP library comes from.
    pub(crate) fn of(error: &(dyn Error + 'static)) -> Self {
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

/// An I/O error may wrap another, which its `source` passes over.
fn innermost_kind(error: &io::Error) -> io::ErrorKind {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<io::Error>());
    inner.map_or(error.kind(), innermost_kind)
}
