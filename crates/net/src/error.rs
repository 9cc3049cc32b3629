//! Why there is no response, or not all of it.

use std::error::Error;
use std::io;

/// A request that failed below HTTP. No variant carries the address or a header's value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    /// The address cannot be used.
    #[error("not a usable address: {0}")]
    Address(String),
    /// HTTP cannot carry this header.
    #[error("the value of the header {0} holds characters HTTP cannot carry")]
    Header(String),
    /// The name has no address.
    #[error("the host name could not be resolved (HTTPS_PROXY and its like are not used)")]
    Dns,
    /// Nobody listens there.
    #[error("the connection was refused")]
    Refused,
    /// No secure connection came about.
    #[error("no secure connection: {0}")]
    Tls(String),
    /// The connection was not there in time.
    #[error("connecting took too long (HTTPS_PROXY and its like are not used)")]
    ConnectTimeout,
    /// The other side closed the connection by force.
    #[error("the connection was reset")]
    Reset,
    /// The other side closed the connection before the end of its response.
    #[error("the connection closed before the response was whole")]
    Incomplete,
    /// The response is larger than allowed.
    #[error("the response is larger than its limit")]
    TooLarge,
    /// Something else.
    #[error("the connection failed: {0}")]
    Failed(String),
}

impl NetError {
    pub(crate) fn of(error: &reqwest::Error) -> Self {
        if error.is_dns() {
            return Self::Dns;
        }
        let connecting = error.is_connect();
        if connecting && error.is_timeout() {
            return Self::ConnectTimeout;
        }
        let root = chain(error).last().map(ToString::to_string).unwrap_or_default();
        let kind = chain(error).find_map(|cause| cause.downcast_ref::<io::Error>()).map(innermost_kind);
        match kind {
            Some(io::ErrorKind::ConnectionRefused) => Self::Refused,
            // While connecting, only the TLS handshake reads data that can be wrong or end too soon.
            Some(io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof) if connecting => Self::Tls(root),
            Some(io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted | io::ErrorKind::BrokenPipe) => {
                Self::Reset
            }
            Some(io::ErrorKind::UnexpectedEof) => Self::Incomplete,
            // Without an operating-system error, a request that was sent met a connection that closed.
            None if error.is_request() && !connecting => Self::Incomplete,
            _ => Self::Failed(root),
        }
    }
}

fn chain(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(error.source(), |&error| error.source())
}

/// An I/O error may wrap another, which its `source` passes over.
fn innermost_kind(error: &io::Error) -> io::ErrorKind {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<io::Error>());
    inner.map_or(error.kind(), innermost_kind)
}
