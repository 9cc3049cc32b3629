//! The configured servers, and connections to them for the user of this machine.

use std::sync::Arc;
use std::time::Duration;

use turnkit_core::Scope;
use turnkit_core::ports::{ToolSet, ToolSource as _};
use turnkit_mcp::{LeftOutTool, McpServer, McpState};
use turnkit_net::timeout;

use crate::config::Resolved;
use crate::failure::Failure;
use crate::terminal::{clear_status, remark, status};
use crate::wiring::mcp_servers;

/// How long a command works in silence.
const SILENCE: Duration = Duration::from_millis(500);

/// Returns the configured servers. If there are none, tells the user how to get one.
pub(super) fn all(resolved: &Resolved) -> Vec<McpServer> {
    let servers = mcp_servers(resolved);
    if servers.is_empty() {
        remark("no MCP servers yet; add [[mcp]] to turnkit.toml, or see `turnkit mcp import --help`");
    }
    servers
}

/// Returns the server with this name.
pub(super) fn find(resolved: &Resolved, name: &str) -> Result<McpServer, Failure> {
    let mut servers = mcp_servers(resolved);
    match servers.iter().position(|server| server.name() == name) {
        Some(index) => Ok(servers.swap_remove(index)),
        None => Err(Failure::Usage(no_server(name, &servers))),
    }
}

fn no_server(name: &str, servers: &[McpServer]) -> String {
    if servers.is_empty() {
        return format!("there is no MCP server `{name}`: the configuration has no section [[mcp]]");
    }
    format!("there is no MCP server `{name}`; the servers are {}", names(servers))
}

/// Returns the names of servers, for a sentence.
pub(super) fn names(servers: &[McpServer]) -> String {
    servers.iter().map(|server| server.name()).collect::<Vec<_>>().join(", ")
}

/// Returns the tools of a server, after a start.
///
/// # Errors
/// The server cannot be used. The error contains the reason.
pub(super) async fn connect(server: &McpServer) -> Result<Arc<ToolSet>, String> {
    let tools = server.tools(Some(&Scope::local())).await;
    // The state has the reason alone, without the time of the next start, which this process does not see.
    tools.map_err(|unusable| match server.status().state {
        McpState::Failing { error, .. } => error,
        _ => unusable.0,
    })
}

/// Returns the tools of a connected server that models are not offered.
pub(super) fn left_out(server: &McpServer) -> Vec<LeftOutTool> {
    match server.status().state {
        McpState::Ready(info) => info.left_out,
        _ => Vec::new(),
    }
}

/// Waits for `work`, and shows `message` on a terminal if it is slow.
pub(super) async fn shown_if_slow<T>(message: &str, work: impl Future<Output = T>) -> T {
    let mut work = std::pin::pin!(work);
    if let Ok(done) = timeout(SILENCE, &mut work).await {
        return done;
    }
    status(message);
    let done = work.await;
    clear_status();
    done
}
