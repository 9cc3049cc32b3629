//! Explanation of the permission decision about a call.

use std::sync::Arc;

use turnkit_core::ports::Tool;
use turnkit_core::{Arguments, Subject, ToolErrorKind};
use turnkit_engine::permission::Reason;
use turnkit_engine::{Explanation, SystemClock};
use turnkit_mcp::McpServer;
use turnkit_net::{Reach, Target};
use turnkit_tools::FetchUrl;

use super::agents::{AvailableTools, build_agent};
use super::missing_tool::why_missing;
use super::tools::available_tools;
use crate::config::{AgentConfig, Config, Resolved, matches_tool, server_of};

/// The decision about a call, with the rule that makes it.
pub(crate) struct Explained {
    pub(crate) explanation: Explanation,
    /// The number of the deciding rule among all rules of the configuration, from 1.
    pub(crate) rule: Option<usize>,
    /// Why the call fails even if it may run, if that is certain.
    pub(crate) fails: Option<String>,
}

impl Explained {
    /// Returns the reason, as a sentence.
    pub(crate) fn because(&self) -> String {
        self.explanation.judgement.to_string()
    }
}

/// Returns the MCP server that has to be asked for a tool, if the agent lists the tool.
pub(crate) fn server_to_ask<'a>(tool: &str, agent: &AgentConfig, config: &'a Config) -> Option<&'a str> {
    let server = server_of(tool, &config.mcp)?;
    let means_it = |name: &String| server_of(name, &config.mcp) == Some(server) && matches_tool(name, tool);
    agent.tools.iter().any(means_it).then_some(server)
}

/// Explains the decision about an agent's call in a mode. `server_tool` is the called tool with its MCP server, if it
/// has one. The error is the reason why no rule decides the call.
pub(crate) fn explain(
    resolved: &Resolved,
    agent: &AgentConfig,
    server_tool: Option<&(McpServer, Arc<dyn Tool>)>,
    (tool, arguments): (&str, &Arguments),
    mode: Option<&str>,
    untrusted: bool,
) -> Result<Explained, (ToolErrorKind, String)> {
    let Resolved { config, folder, .. } = resolved;
    let mut tools = available_tools(resolved, Arc::new(SystemClock));
    tools.extend(server_tool.map(|(_, tool)| Arc::clone(tool)));
    let servers = server_tool.map(|(server, _)| std::slice::from_ref(server)).unwrap_or_default();
    let available = AvailableTools { tools: &tools, servers };
    let explained = build_agent(agent, config, folder, &available).explain(tool, arguments, mode, untrusted);
    let explanation = explained.map_err(|(kind, why)| match kind {
        ToolErrorKind::UnknownTool => (kind, why_missing(tool, agent, config).unwrap_or(why)),
        _ => (kind, why),
    })?;
    let rule = match explanation.judgement.reason {
        Reason::Rule(index) => Some(index + 1),
        _ => None,
    };
    let fails = failure(tool, &explanation.subject);
    Ok(Explained { explanation, rule, fails })
}

/// Returns why a call fails even if it may run, if the host alone makes that certain.
fn failure(tool: &str, subject: &Subject) -> Option<String> {
    let Subject::Url(url) = subject else { return None };
    let target = Target::new(url).ok().filter(|_| tool == FetchUrl::NAME)?;
    let host = target.host();
    let is_excluded = Reach::Public.excludes(host);
    is_excluded.then(|| format!("{host} is not public, and `{tool}` connects to public addresses only"))
}
