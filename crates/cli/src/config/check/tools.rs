//! Names of tools there are none of.

use turnkit_engine::{ReadSkill, TaskTool, ToolSources};
use turnkit_tools::{AskUser, FILE_TOOLS, FetchUrl, NAMES};

use super::super::nearest::nearest;
use super::super::schema::PermissionModeConfig;
use super::super::source::Source;
use super::super::{AgentConfig, Config, ConfigError, FilesConfig, RuleConfig};

/// Checks the tools an agent may use.
pub(super) fn check_agent(
    index: usize,
    agent: &AgentConfig,
    files: &FilesConfig,
    source: &Source,
) -> Result<(), ConfigError> {
    let complaint = |key: &str, item: usize, why: String| {
        let message = format!("agent `{}`: {why}", agent.name);
        Err(source.complaint(&format!("agents.{index}.{key}.{item}"), message))
    };
    for (item, tool) in agent.defer_tools.iter().enumerate() {
        if !stands_for_tools(tool) && tool != ReadSkill::NAME {
            return complaint("defer_tools", item, no_tool(tool));
        }
    }
    for (item, tool) in agent.tools.iter().enumerate() {
        if !stands_for_tools(tool) {
            return complaint("tools", item, no_tool(tool));
        }
        if files.roots.is_empty() && FILE_TOOLS.contains(&tool.as_str()) {
            return complaint(
                "tools",
                item,
                format!("`{tool}` has no folder: list the folders of its files in `files.roots`"),
            );
        }
    }
    Ok(())
}

/// Checks the tools that rules are about. A pattern may match no tool; a name must be one.
pub(super) fn check_rules(rules: &[RuleConfig], source: &Source) -> Result<(), ConfigError> {
    let of_engine = [ReadSkill::NAME, ToolSources::SEARCH, ToolSources::READ_RESULT];
    let is_known = |tool: &str| is_known(tool) || of_engine.contains(&tool);
    let unknown = |rule: &&RuleConfig| !rule.tool.ends_with('*') && !is_known(&rule.tool);
    let Some((index, rule)) = rules.iter().enumerate().find(|(_, rule)| unknown(rule)) else { return Ok(()) };
    Err(source.complaint(&format!("permissions.rules.{index}.tool"), no_tool(&rule.tool)))
}

/// The names of all tools that a configuration can turn on.
fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().chain(FILE_TOOLS).copied().chain([FetchUrl::NAME, AskUser::NAME, TaskTool::NAME])
}

/// Checks the agents that rules are about, and that no mode undoes what the operator did not give up.
pub(super) fn check_permissions(config: &Config, source: &Source) -> Result<(), ConfigError> {
    let names = || config.agents.iter().map(|agent| agent.name.as_str());
    for (index, rule) in config.permissions.rules.iter().enumerate() {
        let Some(agent) = rule.agent.as_deref().filter(|agent| !names().any(|name| name == *agent)) else { continue };
        let hint = nearest(agent, names()).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        let message = format!("there is no agent `{agent}`{hint}");
        return Err(source.complaint(&format!("permissions.rules.{index}.agent"), message));
    }
    if config.permissions.allow_bypass {
        return Ok(());
    }
    for (index, agent) in config.agents.iter().enumerate() {
        let own = Some((format!("agents.{index}.permission_mode"), agent.permission_mode));
        let of_modes = agent.modes.iter().filter_map(|(mode, said)| {
            Some((format!("agents.{index}.modes.{mode}.permission_mode"), said.permission_mode()?))
        });
        let mut bypasses = own.into_iter().chain(of_modes).filter(|(_, mode)| *mode == PermissionModeConfig::Bypass);
        if let Some((path, _)) = bypasses.next() {
            let message = format!("agent `{}`: `bypass` needs `allow_bypass = true` in [permissions]", agent.name);
            return Err(source.complaint(&path, message));
        }
    }
    Ok(())
}

/// Reports whether a name is that of a tool; if it ends with `*`, whether the name of a tool begins so.
fn stands_for_tools(name: &str) -> bool {
    match name.strip_suffix('*') {
        Some(beginning) => names().any(|tool| tool.starts_with(beginning)),
        None => is_known(name),
    }
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
