//! The server: where it listens, whom it answers, what it says.

use std::net::{Ipv4Addr, SocketAddr};
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ServerConfig {
    /// The address and port to listen on; port 0 takes a free one. Other machines can reach only addresses that are
    /// not loopback, which need `auth.mode`.
    pub(crate) listen: Listen,
    /// The address clients use if it is not the one listened on, as behind a proxy: `https://chat.example.com`. Its
    /// host is allowed.
    pub(crate) public_url: Option<String>,
    /// Names clients may use for this server in the `Host` header, besides loopback names and `public_url`:
    /// `["chat.internal"]`.
    pub(crate) allowed_hosts: Vec<String>,
    /// Web pages of other origins that may send requests: `["https://app.example.com"]`.
    pub(crate) allowed_origins: Vec<String>,
    /// How many seconds running turns may finish when the process is told to stop; what is left goes on at the next
    /// start.
    pub(crate) drain_s: u64,
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            listen: Listen(SocketAddr::from((Ipv4Addr::LOCALHOST, 8787))),
            public_url: None,
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            drain_s: 10,
        }
    }
}

/// An address with its port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub(crate) struct Listen(pub(crate) SocketAddr);

impl FromStr for Listen {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = match text.strip_prefix("localhost:") {
            Some(port) => format!("{}:{port}", Ipv4Addr::LOCALHOST),
            None => text.to_owned(),
        };
        let parsed = numbers.parse().map(Self);
        parsed.map_err(|_| "expected an address and a port, such as 127.0.0.1:8787 or [::1]:8787".to_owned())
    }
}

impl TryFrom<String> for Listen {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Listen> for String {
    fn from(listen: Listen) -> Self {
        listen.0.to_string()
    }
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct AuthConfig {
    /// What a request must carry.
    pub(crate) mode: AuthMode,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AuthMode {
    /// Nothing: for one user on one machine. Only loopback addresses are listened on.
    #[default]
    None,
    /// A key made by `turnkit keys create`, as `Authorization: Bearer KEY` or `x-api-key: KEY`.
    ApiKey,
    // Known, so that it can be said that it comes later.
    #[schemars(skip)]
    Jwt,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct StoreConfig {
    /// The database: `sqlite:PATH`. `?synchronous=normal` trades the last moments at a loss of power for speed. Absent:
    /// `sqlite:data/turnkit.db`; without a configuration file, `turnkit/turnkit.db` in the user's data folder.
    pub(crate) url: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct BrokerConfig {
    /// `memory:`, which is for one process.
    pub(crate) url: String,
}

impl BrokerConfig {
    /// The one broker there is.
    pub(crate) const MEMORY: &str = "memory:";
}

impl Default for BrokerConfig {
    fn default() -> Self {
        Self { url: Self::MEMORY.to_owned() }
    }
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LogConfig {
    /// How lines look.
    pub(crate) format: LogFormat,
    /// What is worth a line; `-v` adds to it.
    pub(crate) level: LogLevel,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object per line.
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LogLevel {
    /// What went wrong.
    Error,
    /// And what may go wrong.
    Warn,
    /// And what was done.
    #[default]
    Info,
    /// And how.
    Debug,
}
