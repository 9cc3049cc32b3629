//! The state of a server, for operators.

use std::time::Duration;

/// The state of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpStatus {
    /// The name of the server.
    pub name: String,
    /// The number of its connections. It is above one only if users have connections of their own.
    pub connections: usize,
    /// The state of the connection, or of the one that was used last.
    pub state: McpState,
}

/// The state of a connection to a server.
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

/// What is known about a server that can be used.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct McpInfo {
    /// The version of the protocol.
    pub protocol: String,
    /// The name and the version of the server, if it has told them.
    pub server: Option<String>,
    /// The number of tools that models can be offered.
    pub tools: usize,
    /// The tools that models are not offered.
    pub left_out: Vec<LeftOut>,
}

/// A tool of a server that models are not offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The name of the tool, as far as it can be shown.
    pub name: String,
    /// The reason.
    pub why: String,
}
