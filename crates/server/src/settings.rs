//! What the operator decides.

use std::num::NonZeroU32;
use std::time::Duration;

/// How a server is set up.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Who may ask.
    pub auth: AuthMode,
    /// Hosts this server answers to besides loopback names and the host of `public_url`: `name`, or `name:port` for this
    /// port only.
    pub allowed_hosts: Vec<String>,
    /// Origins of pages of other servers that may talk to this one, as browsers write them: `https://chat.example`.
    pub allowed_origins: Vec<String>,
    /// Where clients reach this server, if that is through a proxy.
    pub public_url: Option<String>,
    /// The largest body of a request, in bytes.
    pub body_bytes: usize,
    /// The largest file that a user may upload, in bytes.
    pub upload_bytes: usize,
    /// How often each user may ask; the operator always may.
    pub rate_limit: Option<RateLimit>,
    /// How long the head of a request may take to arrive, and how long a connection may be idle.
    pub head_time: Duration,
    /// How long the body of a request, and each piece of an upload, may take to arrive.
    pub body_time: Duration,
    /// The names of the agents; the first is the default.
    pub agents: Vec<String>,
    /// The names of the prompts that sessions can select.
    pub prompts: Vec<String>,
    /// The names of the modes that sessions can select: those of all agents.
    pub modes: Vec<String>,
    /// The version of the program.
    pub version: &'static str,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            auth: AuthMode::None,
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            public_url: None,
            body_bytes: 1024 * 1024,
            upload_bytes: 50_000_000,
            rate_limit: None,
            head_time: Duration::from_secs(30),
            body_time: Duration::from_secs(30),
            agents: Vec::new(),
            prompts: Vec::new(),
            modes: Vec::new(),
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

/// Who may ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthMode {
    /// Everyone who can reach the server, as the person at its terminal. For loopback only.
    None,
    /// Whoever has a key.
    ApiKey,
}

/// How often each user may ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// How many requests a second.
    pub requests_per_second: NonZeroU32,
    /// How many at once, after a while without any.
    pub burst: NonZeroU32,
}
