//! Settings that the operator chooses.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::caller_token_cache::CallerTokenCache;
use crate::jwt_settings::JwtSettings;

/// The configuration of a server.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How callers are authenticated.
    pub auth: AuthMode,
    /// Where the tokens of callers are kept, for tools that act on behalf of their users. If `None`, none is kept.
    pub caller_tokens: Option<Arc<CallerTokenCache>>,
    /// Hosts for which this server responds, besides loopback names and the host of `public_url`: `name`, or
    /// `name:port` for this port only.
    pub allowed_hosts: Vec<String>,
    /// Origins of other servers' pages that may send requests to this server, in the form that browsers send:
    /// `https://chat.example`.
    pub allowed_origins: Vec<String>,
    /// The URL at which clients reach this server, if that is through a proxy.
    pub public_url: Option<String>,
    /// The largest body of a request, in bytes.
    pub body_bytes: usize,
    /// The largest file that a user may upload, in bytes.
    pub upload_bytes: usize,
    /// The rate limit of each user. It does not apply to the operator.
    pub rate_limit: Option<RateLimit>,
    /// The time limit for the head of a request, and for an idle connection.
    pub head_time: Duration,
    /// The time limit for the body of a request, and for each piece of an upload.
    pub body_time: Duration,
    /// The names of the agents; the first is the default.
    pub agents: Vec<String>,
    /// What agents are good for, by their names: the descriptions of the tools that clients of MCP see.
    pub agent_purposes: BTreeMap<String, String>,
    /// The tools that the program itself has, by name; for lists. Tools of MCP servers need not be named, and other
    /// tools count as those of the host.
    pub tool_providers: BTreeMap<String, ToolProvider>,
    /// The names of the prompts that sessions can select.
    pub prompts: Vec<String>,
    /// The names of the modes that sessions can select: those of all agents.
    pub modes: Vec<String>,
    /// The web page that the server offers at `/`. Without the feature `page` of this crate there is none.
    pub page: PageFiles,
    /// The version of the program.
    pub version: &'static str,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            auth: AuthMode::None,
            caller_tokens: None,
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            public_url: None,
            body_bytes: 1024 * 1024,
            upload_bytes: 50_000_000,
            rate_limit: None,
            head_time: Duration::from_secs(30),
            body_time: Duration::from_secs(30),
            agents: Vec::new(),
            agent_purposes: BTreeMap::new(),
            tool_providers: BTreeMap::new(),
            prompts: Vec::new(),
            modes: Vec::new(),
            page: PageFiles::None,
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

/// How callers are authenticated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuthMode {
    /// No key is required: every caller that can reach the server acts as the local user at its terminal. For loopback
    /// only.
    None,
    /// Every caller needs an API key.
    ApiKey,
    /// Every caller needs a token of an identity provider.
    Jwt(JwtSettings),
    /// Every caller needs an API key or a token of an identity provider.
    ApiKeyOrJwt(JwtSettings),
}

/// What a tool was provided by, besides MCP servers and host programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolProvider {
    /// The program.
    Program,
    /// A section of its configuration.
    Configuration,
}

/// The origin of the files of the web page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum PageFiles {
    /// There is no page, and its addresses are unknown, unless the host application has them.
    #[default]
    None,
    /// The files that are embedded in the program.
    Embedded,
    /// The files of a folder, read for each request: for work on the page itself.
    Folder(PathBuf),
}

/// A limit on the number of requests of each user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// The number of requests per second.
    pub requests_per_second: NonZeroU32,
    /// The number of requests that may be sent at once after an idle period.
    pub burst: NonZeroU32,
}
