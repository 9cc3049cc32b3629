//! The settings of a server.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use turnkit_core::ports::CallerTokens;
use turnkit_net::{HttpClient, Target, TokenSource};
use turnkit_process::LaunchSettings;

use crate::credentials::Credentials;
use crate::headers::Headers;
use crate::secrets::{REMOVED, Secrets};
use crate::tokens::TokenGrants;

/// The longest name of a server. Names of tools begin with it, and providers limit those.
const LONGEST_NAME: usize = 32;

/// The settings of a server.
#[derive(Debug, Clone)]
pub struct McpServerSettings {
    name: String,
    /// How the server is reached.
    pub transport: Transport,
    /// The credentials in the settings of the transport that nothing else marks as such. Others are variables, headers,
    /// options of a program and fields of a query whose [names](crate::names_credential) say so, the password in an
    /// address, and parts of its path that [look like a key](crate::looks_like_credential).
    pub credentials: Credentials,
    /// Which statements of the server about its tools count.
    pub trust: Trust,
    /// Whether a model must find the tools with `tool_search` before it sees them.
    pub defer: bool,
    /// The time limit of one attempt at a call, without the wait for an access token.
    pub timeout: Duration,
    /// The time limit of a start, and of a request for the list of tools, without the wait for an access token.
    pub start_timeout: Duration,
}

/// How a server is reached.
#[derive(Clone)]
pub enum Transport {
    /// A program that speaks over its standard input and output.
    Stdio {
        /// The words of its command line: the program, then its arguments.
        argv: Vec<String>,
        /// The folder, the environment and the launcher with which it starts.
        launch: LaunchSettings,
    },
    /// An address that is reached over HTTP.
    Http(HttpServer),
}

/// A server that is reached over HTTP.
#[derive(Clone)]
pub struct HttpServer {
    pub(crate) client: HttpClient,
    /// On the heap, because it is ten times as large as the other fields.
    pub(crate) target: Box<Target>,
    pub(crate) headers: Headers,
    pub(crate) tokens: Option<TokenGrants>,
}

/// Which statements of a server about its tools count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Trust {
    /// None: each tool may change anything, and no call is repeated.
    #[default]
    None,
    /// The annotations of its tools: which ones only read, may be repeated, or destroy data.
    Annotations,
    /// As [`Annotations`](Self::Annotations). In addition, the host should run calls without asking a person, by
    /// trusting the tools of [`McpServer::tool_pattern`](crate::McpServer::tool_pattern).
    Full,
}

/// A setting that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSettings {
    /// The name of the server cannot begin the names of tools.
    #[error(
        "`name`: `{0}` must consist of 1 to 32 ASCII letters, digits, `-` and `_`; no `_` may follow another or be last"
    )]
    Name(String),
    /// The command line names no program.
    #[error("`command` is empty: name a program")]
    NoProgram,
    /// A header that cannot be sent.
    #[error("`headers.{name}`: {why}")]
    Header {
        /// The name of the header.
        name: String,
        /// The reason.
        why: String,
    },
}

impl McpServerSettings {
    /// The time limit of a call by default.
    pub const TIMEOUT: Duration = Duration::from_secs(60);
    /// The time limit of a start by default.
    pub const START_TIMEOUT: Duration = Duration::from_secs(30);

    /// Creates the settings of a server that is not trusted. The names of its tools begin with `name` and two
    /// underscores.
    ///
    /// # Errors
    /// The name cannot begin the name of a tool, or the command line names no program.
    pub fn new(name: impl Into<String>, transport: Transport) -> Result<Self, InvalidSettings> {
        let name = name.into();
        let is_legal = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
        // The first two underscores of a tool's name separate the server from the tool.
        let is_separable = !name.contains("__") && !name.ends_with('_');
        if !(1..=LONGEST_NAME).contains(&name.len()) || !name.bytes().all(is_legal) || !is_separable {
            return Err(InvalidSettings::Name(crate::text::line(&name, 64)));
        }
        if let Transport::Stdio { argv, .. } = &transport
            && argv.first().is_none_or(|program| program.trim().is_empty())
        {
            return Err(InvalidSettings::NoProgram);
        }
        let (timeout, start_timeout) = (Self::TIMEOUT, Self::START_TIMEOUT);
        let (credentials, trust) = (Credentials::default(), Trust::default());
        Ok(Self { name, transport, credentials, trust, defer: false, timeout, start_timeout })
    }

    /// Returns the name of the server.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl HttpServer {
    /// Creates a server at this address, which `client` connects to. The operator chose the address, so `client` may
    /// reach private ones.
    pub fn new(client: HttpClient, target: Target) -> Self {
        Self { client, target: Box::new(target), headers: Headers::default(), tokens: None }
    }

    /// Returns the address without its query, which may hold a key, and without the parts of its path that hold one of
    /// these secrets.
    pub(crate) fn public_url(&self, secrets: &Secrets) -> String {
        let url = self.target.url();
        let address = url.split_once('?').map_or(url.as_str(), |(address, _)| address);
        let host = address.find("://").map_or(0, |end| end + "://".len());
        let (before, from_host) = address.split_at(host);
        let (host, path) = from_host.split_at(from_host.find('/').unwrap_or(from_host.len()));
        let path = secrets.removed(path);
        let parts = path.split('/').map(|part| if part.contains(REMOVED) { REMOVED } else { part });
        format!("{before}{host}{}", parts.collect::<Vec<_>>().join("/"))
    }

    /// Adds a header to every request. `{user}` and `{tenant}` in its value stand for the owner of the session; each
    /// owner then has a connection of its own. The value is a credential if its [name](crate::names_credential) says
    /// so, or if it holds one of the [credentials](McpServerSettings::credentials).
    ///
    /// # Errors
    /// The header is not valid in HTTP, or the protocol sets it itself.
    pub fn with_header(mut self, name: &str, value: &str) -> Result<Self, InvalidSettings> {
        self.headers.add(name, value).map_err(|why| InvalidSettings::Header { name: name.to_owned(), why })?;
        Ok(self)
    }

    /// Authorizes every request with an access token of this source, which takes the place of an `authorization`
    /// header. All owners of sessions share the tokens. A request that the server refuses with status 401 did not run,
    /// so it is sent once more with another token. Without a token, no request is sent.
    #[must_use]
    pub fn with_tokens(mut self, tokens: Arc<TokenSource>) -> Self {
        self.tokens = Some(TokenGrants::Shared(tokens));
        self
    }

    /// Authorizes every request like [`with_tokens`](Self::with_tokens), with an access token in exchange for that of
    /// the owner of the session, which `callers` provides. The grant of the source must be
    /// [`Exchange`](turnkit_net::TokenGrant::Exchange). Each user has a connection of their own. Without a token of the
    /// user, the server has no tools, and a call fails with the way out.
    #[must_use]
    pub fn with_exchange(mut self, tokens: Arc<TokenSource>, callers: Arc<dyn CallerTokens>) -> Self {
        self.tokens = Some(TokenGrants::Exchanged(tokens, callers));
        self
    }

    /// Reports whether requests have tokens in exchange for those of callers.
    pub(crate) fn acts_for_callers(&self) -> bool {
        matches!(self.tokens, Some(TokenGrants::Exchanged(..)))
    }
}

/// Excludes the arguments of a program, which may be secrets.
impl fmt::Debug for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdio { argv, launch } => {
                let mut shown = f.debug_struct("Stdio");
                shown.field("program", &argv.first()).field("launch", launch).finish_non_exhaustive()
            }
            Self::Http(server) => f.debug_tuple("Http").field(server).finish(),
        }
    }
}

impl fmt::Debug for HttpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("HttpServer");
        shown.field("target", &self.target).field("headers", &self.headers).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(argv: &[&str]) -> Transport {
        let argv = argv.iter().map(|&word| word.to_owned()).collect();
        let launch = LaunchSettings { folder: "/".into(), environment: Default::default(), launcher: Vec::new() };
        Transport::Stdio { argv, launch }
    }

    #[test]
    fn a_name_can_begin_the_names_of_tools() {
        let (longest, too_long) = ("x".repeat(32), "x".repeat(33));
        for (name, is_valid) in [
            ("tickets", true),
            ("git-hub_2", true),
            ("_", false),
            (longest.as_str(), true),
            ("", false),
            (too_long.as_str(), false),
            ("my server", false),
            ("a__b", false),
            ("a_", false),
            ("a.b", false),
            ("ä", false),
            ("a\u{202e}", false),
        ] {
            assert_eq!(McpServerSettings::new(name, program(&["x"])).is_ok(), is_valid, "{name:?}");
        }
    }

    #[test]
    fn a_command_line_names_a_program() {
        for argv in [&[][..], &[""], &["  ", "x"]] {
            let error = McpServerSettings::new("x", program(argv)).unwrap_err();
            assert_eq!(error, InvalidSettings::NoProgram);
        }
    }
}
