//! Tools that turnkit has although an agent lacks them.

use turnkit_engine::{ReadSkill, ToolSources};

use crate::config::{AgentConfig, Config, is_tool, lists_tool, missing_section, server_of};
use crate::sandbox;

/// Returns why an agent lacks a tool, and how it gets the tool. Returns `None` if there is no such tool.
pub(super) fn why_missing(tool: &str, agent: &AgentConfig, config: &Config) -> Option<String> {
    if let Some(server) = server_of(tool, &config.mcp) {
        return Some(of_server(tool, server, agent));
    }
    let why = match tool {
        ReadSkill::NAME => "the agent has no skills: set its `skills` to their folder".to_owned(),
        ToolSources::SEARCH => "the agent defers no tools: name some in `defer_tools`".to_owned(),
        _ if is_tool(tool, config) => not_offered(tool, agent, config),
        _ => return None,
    };
    Some(format!("turnkit has this tool, but {why}"))
}

/// Returns why an agent lacks a tool of an MCP server.
fn of_server(tool: &str, server: &str, agent: &AgentConfig) -> String {
    let listed: Vec<&str> = agent.tools.iter().map(String::as_str).chain([tool]).collect();
    format!("the agent does not list this tool of the MCP server `{server}`: write tools = {listed:?}")
}

/// Returns why an agent lacks a tool that agents may list.
fn not_offered(tool: &str, agent: &AgentConfig, config: &Config) -> String {
    let listed: Vec<&str> = agent.tools.iter().map(String::as_str).chain([tool]).collect();
    match (lists_tool(agent, tool), missing_section(tool, config)) {
        (false, None) => format!("the agent does not list it: write tools = {listed:?}"),
        (false, Some(section)) => format!("the agent does not list it: write tools = {listed:?}, and add {section}"),
        (true, Some(section)) => format!("it is turned off: add {section}"),
        (true, None) => {
            let why = sandbox::unavailable().unwrap_or_default();
            format!("it is left out, because there is no sandbox for its programs: {why}")
        }
    }
}
