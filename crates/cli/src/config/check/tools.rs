//! Names of tools there are none of.

use turnkit_engine::ReadSkill;

use super::super::nearest::nearest;
use super::super::source::Source;
use super::super::{AgentConfig, ConfigError, RuleConfig};

/// Checks the tools an agent may use.
pub(super) fn check_agent(index: usize, agent: &AgentConfig, source: &Source) -> Result<(), ConfigError> {
    let unknown = |tool: &&String| *tool != "*" && !is_known(tool);
    let Some((item, tool)) = agent.tools.iter().enumerate().find(|(_, tool)| unknown(tool)) else { return Ok(()) };
    let message = format!("agent `{}`: {}", agent.name, no_tool(tool));
    Err(source.complaint(&format!("agents.{index}.tools.{item}"), message))
}

/// Checks the tools that rules are about. A pattern may match no tool; a name must be one.
pub(super) fn check_rules(rules: &[RuleConfig], source: &Source) -> Result<(), ConfigError> {
    let is_known = |tool: &str| is_known(tool) || tool == ReadSkill::NAME;
    let unknown = |rule: &&RuleConfig| !rule.tool.ends_with('*') && !is_known(&rule.tool);
    let Some((index, rule)) = rules.iter().enumerate().find(|(_, rule)| unknown(rule)) else { return Ok(()) };
    Err(source.complaint(&format!("permissions.rules.{index}.tool"), no_tool(&rule.tool)))
}

fn is_known(tool: &str) -> bool {
    turnkit_tools::NAMES.contains(&tool)
}

fn no_tool(tool: &str) -> String {
    match nearest(tool, turnkit_tools::NAMES.iter().copied()) {
        Some(near) => format!("there is no tool `{tool}`; did you mean `{near}`?"),
        None => format!("there is no tool `{tool}`; the tools are {}", turnkit_tools::NAMES.join(", ")),
    }
}
