//! The limits of a client.

use std::time::Duration;

use crate::Reach;

/// Connection settings and response limits of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientOptions {
    /// Time limit for opening a connection, including name lookup and TLS handshake.
    pub connect_timeout: Duration,
    /// How long an idle connection can be reused.
    pub idle_timeout: Duration,
    /// Maximum number of idle connections per host.
    pub idle_per_host: usize,
    /// The largest response body, in bytes.
    pub max_body: usize,
    /// The addresses that the client may connect to.
    pub reach: Reach,
}

impl Default for ClientOptions {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(5),
            idle_timeout: Duration::from_secs(60),
            idle_per_host: 256,
            max_body: 64 * 1024 * 1024,
            reach: Reach::Any,
        }
    }
}
