//! Checks of the MCP servers: whether each can be reached, and which of its tools are offered.

use std::time::Duration;

use futures_util::future::join_all;
use turnkit_core::ports::ToolSource as _;
use turnkit_mcp::{LeftOutTool, McpServer, McpServerSettings};
use turnkit_net::timeout;

use super::finding::Finding;
use crate::commands::mcp::servers::{self, NOT_ASKED};
use crate::config::Resolved;
use crate::terminal::counted;
use crate::wiring::mcp_servers;

const CHECK: &str = "mcp";
/// The time limit for a server to start and to list its tools.
const LIMIT: Duration = McpServerSettings::START_TIMEOUT;
/// The number of tools that are named with the reason why they are left out.
const MAX_LEFT_OUT: usize = 10;

/// Asks each server for its tools, as a turn of the local user would.
pub(super) async fn examine(resolved: &Resolved) -> Vec<Finding> {
    let servers = mcp_servers(resolved);
    let message = format!("connecting to {}", servers::names(&servers));
    servers::shown_if_slow(&message, join_all(servers.iter().map(reach))).await
}

async fn reach(server: &McpServer) -> Finding {
    let name = server.name();
    if server.acts_for_callers() {
        return Finding::ok(CHECK, format!("{name}: {NOT_ASKED}"));
    }
    let why = match timeout(LIMIT, servers::connect(server)).await {
        Ok(Ok(tools)) => return listed(server, tools.tools().len()),
        Ok(Err(why)) => why,
        Err(_) => format!("it has not listed its tools within {} seconds", LIMIT.as_secs()),
    };
    let remedy = "are its settings in [[mcp]] right, and is it running? Without it, turns run without its tools";
    Finding::fail(CHECK, format!("{name}: {why}")).with_remedy(remedy)
}

fn listed(server: &McpServer, tools: usize) -> Finding {
    let left_out = servers::left_out(server);
    let message = format!("{}: {}", server.name(), counted(tools as u64, "tool"));
    if left_out.is_empty() {
        return Finding::ok(CHECK, message);
    }
    Finding::warn(CHECK, format!("{message}; models are not offered {}", reasons(&left_out)))
}

/// Returns the names of the tools that are left out, each with its reason.
fn reasons(left_out: &[LeftOutTool]) -> String {
    let named = left_out.iter().take(MAX_LEFT_OUT).map(|LeftOutTool { name, why }| format!("{name} ({why})"));
    let named = named.collect::<Vec<_>>().join(", ");
    match left_out.len().saturating_sub(MAX_LEFT_OUT) {
        0 => named,
        more => format!("{named}, and {more} more"),
    }
}
