//! Names of tools there are none of.

use turnkit_engine::ReadSkill;
use turnkit_tools::{FILE_TOOLS, NAMES};

use super::super::nearest::nearest;
use super::super::source::Source;
use super::super::{AgentConfig, ConfigError, FilesConfig, RuleConfig};

/// Checks the tools an agent may use.
pub(super) fn check_agent(
    index: usize,
    agent: &AgentConfig,
    files: &FilesConfig,
    source: &Source,
) -> Result<(), ConfigError> {
    let complaint = |item: usize, why: String| {
        let message = format!("agent `{}`: {why}", agent.name);
        Err(source.complaint(&format!("agents.{index}.tools.{item}"), message))
    };
    for (item, tool) in agent.tools.iter().enumerate().filter(|(_, tool)| *tool != "*") {
        if !is_known(tool) {
            return complaint(item, no_tool(tool));
        }
        if files.roots.is_empty() && FILE_TOOLS.contains(&tool.as_str()) {
            return complaint(item, format!("`{tool}` has no folder: list the folders of its files in `files.roots`"));
        }
    }
    Ok(())
}

/// Checks the tools that rules are about. A pattern may match no tool; a name must be one.
pub(super) fn check_rules(rules: &[RuleConfig], source: &Source) -> Result<(), ConfigError> {
    let is_known = |tool: &str| is_known(tool) || tool == ReadSkill::NAME;
    let unknown = |rule: &&RuleConfig| !rule.tool.ends_with('*') && !is_known(&rule.tool);
    let Some((index, rule)) = rules.iter().enumerate().find(|(_, rule)| unknown(rule)) else { return Ok(()) };
    Err(source.complaint(&format!("permissions.rules.{index}.tool"), no_tool(&rule.tool)))
}

/// The names of all tools that a configuration can turn on.
fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().chain(FILE_TOOLS).copied()
}

fn is_known(tool: &str) -> bool {
    names().any(|name| name == tool)
}

fn no_tool(tool: &str) -> String {
    match nearest(tool, names()) {
        Some(near) => format!("there is no tool `{tool}`; did you mean `{near}`?"),
        None => format!("there is no tool `{tool}`; the tools are {}", names().collect::<Vec<_>>().join(", ")),
    }
}
