//! Checks of the tools that an agent defers.

use turnkit_engine::ReadSkill;

use super::super::source::Source;
use super::super::{AgentConfig, Config, ConfigError};
use super::mcp::{overlap, server_of};
use super::tools::{lists_tool, matches_tool, missing_section, names};

/// Checks that the agent has all tools that it defers.
pub(super) fn check(index: usize, agent: &AgentConfig, config: &Config, source: &Source) -> Result<(), ConfigError> {
    match agent.defer_tools.iter().enumerate().find(|(_, name)| !has(agent, name, config)) {
        Some((item, name)) => {
            let message = format!("agent `{}`: `{name}` in `defer_tools` matches none of its `tools`", agent.name);
            Err(source.complaint(&format!("agents.{index}.defer_tools.{item}"), message))
        }
        None => Ok(()),
    }
}

/// Reports whether the agent has a tool that `name` matches.
fn has(agent: &AgentConfig, name: &str, config: &Config) -> bool {
    let has_section = |tool: &&str| missing_section(tool, config).is_none();
    let mut tools = names(&config.tools).filter(has_section).filter(|tool| lists_tool(agent, tool));
    let mut of_servers = agent.tools.iter().filter(|tool| server_of(tool, &config.mcp).is_some());
    tools.any(|tool| matches_tool(name, tool))
        || of_servers.any(|tool| overlap(name, tool))
        || (agent.skills.is_some() && matches_tool(name, ReadSkill::NAME))
}
