//! The sections `[server]`, `[auth]`, `[store]`, `[broker]` and `[log]`.

use std::net::{Ipv4Addr, SocketAddr};
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::jwt::JwtConfig;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ServerConfig {
    /// The address and port to listen on. Port 0 selects a free port. Other machines can reach only addresses that are
    /// not loopback, which need `auth.mode`.
    pub(crate) listen: Listen,
    /// The address and port of `/metrics`, which is then served there alone, and without a key: choose one that only
    /// your monitoring reaches, such as `127.0.0.1:9464`. Default: `/metrics` is one of the routes at `listen`.
    pub(crate) metrics_listen: Option<Listen>,
    /// The address that clients use if it differs from `listen`, as behind a proxy: `https://chat.example.com`. Its
    /// host is allowed.
    pub(crate) public_url: Option<String>,
    /// Names that clients may use for this server in the `Host` header, besides loopback names and `public_url`:
    /// `["chat.internal"]`.
    pub(crate) allowed_hosts: Vec<String>,
    /// Other origins whose web pages may send requests: `["https://app.example.com"]`.
    pub(crate) allowed_origins: Vec<String>,
    /// The time for running turns to finish when the process is stopped, in seconds. Unfinished turns continue at the
    /// next start.
    pub(crate) drain_s: u64,
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            listen: Listen(SocketAddr::from((Ipv4Addr::LOCALHOST, 8787))),
            metrics_listen: None,
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
    /// The credentials that a request must carry.
    pub(crate) mode: AuthMode,
    /// The identity provider whose tokens are accepted with `mode = "jwt"` or `"api_key_or_jwt"`.
    pub(crate) jwt: JwtConfig,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AuthMode {
    /// No credentials, for one user on one machine. The server then listens on loopback addresses only.
    #[default]
    None,
    /// A key created by `turnkit keys create`, as `Authorization: Bearer KEY` or `x-api-key: KEY`.
    ApiKey,
    /// A token of the identity provider in `[auth.jwt]`, as `Authorization: Bearer TOKEN`.
    Jwt,
    /// A key or a token.
    ApiKeyOrJwt,
}

impl AuthMode {
    /// Reports whether `[auth.jwt]` applies.
    pub(crate) fn accepts_tokens(self) -> bool {
        matches!(self, Self::Jwt | Self::ApiKeyOrJwt)
    }
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct StoreConfig {
    /// The database: `sqlite:PATH`. `?synchronous=normal` is faster, but may lose the last moments before a loss of
    /// power. Default: `sqlite:data/turnkit.db`; without a configuration file, `turnkit/turnkit.db` in the user's data
    /// folder.
    pub(crate) url: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct BrokerConfig {
    /// `memory:`, which serves one process.
    pub(crate) url: String,
}

impl BrokerConfig {
    /// The only broker that is supported.
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
    /// The format of log lines.
    pub(crate) format: LogFormat,
    /// The most detailed level that is logged. `-v` adds to it.
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
    /// Errors.
    Error,
    /// Errors and warnings.
    Warn,
    /// Also the actions of the server.
    #[default]
    Info,
    /// Also the details of these actions.
    Debug,
}
