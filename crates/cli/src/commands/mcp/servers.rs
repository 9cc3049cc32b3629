//! The configured servers, and connections to them for the user of this machine.

use std::sync::Arc;
use std::time::Duration;

use turnkit_core::Scope;
use turnkit_core::ports::{Tool, ToolSet, ToolSource as _};
use turnkit_mcp::{LeftOutTool, McpServer, McpState};
use turnkit_net::timeout;

use crate::config::Resolved;
use crate::failure::Failure;
use crate::terminal::{clear_status, remark, status};
use crate::wiring::mcp_servers;

/// How long a command works in silence.
const SILENCE: Duration = Duration::from_millis(500);
/// The way out for a server that no command can use, because it needs the token of a caller.
pub(super) const ONLY_FOR_CALLERS: &str = "only requests to `turnkit serve` have tokens of callers, so try it there";
/// The remark about a server that no command can ask for its tools.
pub(in crate::commands) const NOT_ASKED: &str = "not asked, because its tools need the token of a caller";

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

/// Returns a server and the tool of it that models know by this name, after a start.
///
/// # Errors
/// The server cannot be used, or has no such tool.
pub(in crate::commands) async fn server_tool(
    resolved: &Resolved,
    server: &str,
    tool: &str,
) -> Result<(McpServer, Arc<dyn Tool>), Failure> {
    let server = find(resolved, server)?;
    let name = server.name();
    let connected = shown_if_slow(&format!("connecting to {name}"), connect(&server)).await;
    let tools = connected.map_err(|why| unusable(&server, &why))?;
    match tools.tools().iter().find(|known| known.definition().name == tool) {
        Some(found) => Ok((server, Arc::clone(found))),
        None => Err(no_tool(&server, tool.strip_prefix(&format!("{name}__")).unwrap_or(tool))),
    }
}

/// Returns the failure of a command that needs a server.
pub(super) fn unusable(server: &McpServer, why: &str) -> Failure {
    let way_out = match server.acts_for_callers() {
        true => ONLY_FOR_CALLERS,
        false => "`turnkit mcp doctor` checks the servers",
    };
    Failure::Failed(format!("{}: {why}; {way_out}", server.name()))
}

/// Returns the failure of a command that needs a tool, by its name at the server. The server is connected.
pub(super) fn no_tool(server: &McpServer, wanted: &str) -> Failure {
    let name = server.name();
    let left_out = left_out(server).into_iter().find(|left_out| left_out.name == wanted);
    Failure::Usage(match left_out {
        Some(left_out) => format!("{name}: `{wanted}` cannot be called: {}", left_out.why),
        None => format!("{name} has no tool `{wanted}`; `turnkit mcp tools {name}` lists them"),
    })
}

fn no_server(name: &str, servers: &[McpServer]) -> String {
    if servers.is_empty() {
        return format!("there is no MCP server `{name}`: the configuration has no section [[mcp]]");
    }
    format!("there is no MCP server `{name}`; the servers are {}", names(servers))
}

/// Returns the names of servers, for a sentence.
pub(in crate::commands) fn names(servers: &[McpServer]) -> String {
    servers.iter().map(|server| server.name()).collect::<Vec<_>>().join(", ")
}

/// Returns the tools of a server, after a start.
///
/// # Errors
/// The server cannot be used. The error contains the reason.
pub(in crate::commands) async fn connect(server: &McpServer) -> Result<Arc<ToolSet>, String> {
    let tools = server.tools(Some(&Scope::local())).await;
    // The state has the reason alone, without the time of the next start, which this process does not see.
    tools.map_err(|unusable| match server.status().state {
        McpState::Failing { error, .. } => error,
        _ => unusable.0,
    })
}

/// Returns the tools of a connected server that models are not offered.
pub(in crate::commands) fn left_out(server: &McpServer) -> Vec<LeftOutTool> {
    match server.status().state {
        McpState::Ready(info) => info.left_out,
        _ => Vec::new(),
    }
}

/// Waits for `work`, and shows `message` on a terminal if it is slow.
pub(in crate::commands) async fn shown_if_slow<T>(message: &str, work: impl Future<Output = T>) -> T {
    let mut work = std::pin::pin!(work);
    if let Ok(done) = timeout(SILENCE, &mut work).await {
        return done;
    }
    status(message);
    let done = work.await;
    clear_status();
    done
}
