//! The limits of a client.

use std::time::Duration;

use crate::Reach;

/// How a client connects and what it accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientOptions {
    /// How long opening a connection may take, name lookup and TLS included.
    pub connect_timeout: Duration,
    /// How long an unused connection may still be used.
    pub idle_timeout: Duration,
    /// How many unused connections are kept per host.
    pub idle_per_host: usize,
    /// The largest response body, in bytes.
    pub max_body: usize,
    /// Which addresses it may connect to.
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
