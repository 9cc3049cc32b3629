//! Construction of the configured MCP servers.

use turnkit_mcp::McpServer;

use crate::config::Resolved;

/// Returns the configured servers, none of which is started.
pub(crate) fn mcp_servers(_: &Resolved) -> Vec<McpServer> {
    Vec::new()
}
