//! The MCP servers of a process and their status.

use std::fmt;
use std::time::Duration;

use super::{BoxFuture, PinOwner, ToolSourceError};
use crate::{RawJson, Scope, ToolFlags};

/// The status of an MCP server, for operators. It contains no credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpStatus {
    /// The name of the server.
    pub name: String,
    /// Where the server is.
    pub address: McpAddress,
    /// The number of its connections, open or not. It is above one only if users or tenants have connections of their
    /// own.
    pub connections: usize,
    /// The state of the connection, or of the one that was used last.
    pub state: McpState,
    /// For whom the definitions of tools are accepted that this connection lists.
    pub owner: PinOwner,
}

/// Where an MCP server is, without credentials. Arguments of a program, headers, and the query of an address may be
/// secrets, so they are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum McpAddress {
    /// The program that is started.
    Program(String),
    /// The address that is reached over HTTP.
    Url(String),
}

/// The state of a connection to an MCP server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum McpState {
    /// The server was not needed so far, or its connection has ended.
    NotStarted,
    /// The server is starting.
    Starting,
    /// The server can be used.
    Ready(McpInfo),
    /// The server cannot be used.
    Failing {
        /// The reason.
        error: String,
        /// When it is started again at the earliest.
        retry_in: Duration,
    },
}

/// What is known about an MCP server that can be used.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct McpInfo {
    /// The version of the protocol.
    pub protocol: String,
    /// The name and the version that the server reports, if any.
    pub server: Option<String>,
    /// The time since the list of its tools was read; `None` if it was not read so far.
    pub list_age: Option<Duration>,
    /// The tools that models can be offered, in the order of the server.
    pub tools: Vec<McpToolStatus>,
    /// The tools that models are not offered.
    pub left_out: Vec<LeftOutTool>,
}

/// A tool of an MCP server that models can be offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpToolStatus {
    /// The name that models know.
    pub name: String,
    /// The description that models read.
    pub description: String,
    /// The JSON Schema of the arguments.
    pub parameters: RawJson,
    /// The properties of calls, as far as the server is trusted to state them.
    pub flags: ToolFlags,
    /// The [pin](super::Tool::pin) of the tool, which a [`PinStore`](super::PinStore) compares with the accepted one.
    pub fingerprint: Option<[u8; 32]>,
    /// The time since the server was last found to have changed the definition; `None` if it has not since this process
    /// first read it.
    pub changed: Option<Duration>,
}

/// A tool of an MCP server that models are not offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOutTool {
    /// The name of the tool at the server, as far as it can be shown.
    pub name: String,
    /// The reason.
    pub why: String,
}

/// Lists and reconnects the MCP servers of a process.
pub trait McpDirectory: Send + Sync {
    /// Returns the status of all servers, in the order of their configuration. None is started.
    fn servers(&self) -> Vec<McpStatus>;

    /// Drops all connections to a server, and reads its tools again over a new one on behalf of this owner of sessions,
    /// even if the last start has just failed. Calls that are running keep their connection until they end. Returns
    /// `None` if there is no such server.
    ///
    /// # Errors
    /// The server cannot be used now.
    fn reconnect<'a>(&'a self, name: &'a str, scope: &'a Scope) -> BoxFuture<'a, Option<Result<(), ToolSourceError>>>;
}

impl fmt::Display for McpAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program(shown) | Self::Url(shown) => f.write_str(shown),
        }
    }
}
