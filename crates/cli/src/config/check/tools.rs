//! Checks of tool names: unknown names and invalid ones.

use turnkit_engine::{ReadSkill, TaskTool, ToolSources};
use turnkit_tools::{AskUser, EditFile, FILE_TOOLS, FetchUrl, NAMES, RunCommand, WriteFile};

use super::super::nearest::nearest;
use super::super::schema::{PermissionModeConfig, ToolsConfig};
use super::super::short_rule::tool_of;
use super::super::source::Source;
use super::super::{AgentConfig, Config, ConfigError};
use super::mcp::{no_server, server_of};

/// The longest tool name that every provider accepts, in bytes.
const MAX_NAME_BYTES: usize = 64;

/// The tools that an agent must list by name, because they reach the network, change files, run programs, ask the
/// person or start sub-agents. No `*` matches them.
const BY_NAME: [&str; 6] =
    [FetchUrl::NAME, WriteFile::NAME, EditFile::NAME, RunCommand::NAME, AskUser::NAME, TaskTool::NAME];

/// The tools that an agent gets when a turn needs them. No agent lists them.
const OF_ENGINE: [&str; 3] = [ReadSkill::NAME, ToolSources::SEARCH, ToolSources::READ_RESULT];

/// Checks the names of the tools that the operator adds.
pub(super) fn check_added(tools: &ToolsConfig, source: &Source) -> Result<(), ConfigError> {
    let mut seen: Vec<&str> = Vec::new();
    for (key, name) in tools.names() {
        let is_legal = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
        let why = if !(1..=MAX_NAME_BYTES).contains(&name.len()) || !name.bytes().all(is_legal) {
            format!("the name of a tool must be 1 to {MAX_NAME_BYTES} letters, digits, `_` or `-`")
        } else if seen.contains(&name) {
            format!("two tools are called `{name}`")
        } else if built_in().chain(OF_ENGINE).any(|known| known == name) {
            format!("`{name}` is the name of a built-in tool; choose another")
        } else {
            seen.push(name);
            continue;
        };
        return Err(source.complaint(&key, why));
    }
    Ok(())
}

/// Checks the tools that an agent may use.
pub(super) fn check_agent(
    index: usize,
    agent: &AgentConfig,
    config: &Config,
    source: &Source,
) -> Result<(), ConfigError> {
    let complaint = |key: &str, item: usize, why: String| {
        let message = format!("agent `{}`: {why}", agent.name);
        Err(source.complaint(&format!("agents.{index}.{key}.{item}"), message))
    };
    let tools = &config.tools;
    for (item, tool) in agent.defer_tools.iter().enumerate() {
        let is_of_server = server_of(tool, &config.mcp).is_some();
        if !is_of_server && !matches_any_tool(tool, tools) && tool != ReadSkill::NAME {
            return complaint("defer_tools", item, no_tool(tool, config));
        }
    }
    for (item, tool) in agent.tools.iter().enumerate() {
        if server_of(tool, &config.mcp).is_some() {
            continue;
        }
        if let Some(when) = added_when(tool) {
            return complaint("tools", item, format!("leave `{tool}` out: it is added by itself {when}"));
        }
        if !matches_any_tool(tool, tools) {
            return complaint("tools", item, no_tool(tool, config));
        }
        if let Some(beginning) = tool.strip_suffix('*') {
            let meant: Vec<&str> = names(tools).filter(|name| name.starts_with(beginning)).collect();
            if meant.iter().all(|name| BY_NAME.contains(name)) {
                let why = format!("`{tool}` matches no tool: `{}` must be listed by full name", meant.join("` and `"));
                return complaint("tools", item, why);
            }
        }
        if tool == RunCommand::NAME && tools.run_command.is_none() {
            let why = "is turned off: add [tools.run_command] with the `roots` that its programs may change";
            return complaint("tools", item, format!("`{tool}` {why}"));
        }
        if config.files.roots.is_empty() && FILE_TOOLS.contains(&tool.as_str()) {
            let why = "has no folder: list the folders of its files in `files.roots`";
            return complaint("tools", item, format!("`{tool}` {why}"));
        }
    }
    Ok(())
}

/// Returns when an agent gets a tool of [`OF_ENGINE`].
fn added_when(tool: &str) -> Option<&'static str> {
    match tool {
        ReadSkill::NAME => Some("to an agent with `skills`"),
        ToolSources::SEARCH => Some("if tools are deferred"),
        ToolSources::READ_RESULT => Some("once a long result was shortened"),
        _ => None,
    }
}

/// Checks the tools named by rules. A pattern may match no tool, but a plain name must be the name of one.
pub(super) fn check_rules(config: &Config, source: &Source) -> Result<(), ConfigError> {
    for (index, rule) in config.permissions.rules.iter().enumerate() {
        let tool = tool_of(&rule.tool);
        if !tool.ends_with('*') && !is_tool(tool, config) {
            let message = no_tool_of_rule(tool, config);
            return Err(source.complaint(&format!("permissions.rules.{index}.tool"), message));
        }
    }
    Ok(())
}

/// Checks the agents named by rules, and that no agent or mode uses `bypass` unless the operator allows it.
pub(super) fn check_permissions(config: &Config, source: &Source) -> Result<(), ConfigError> {
    let default = AgentConfig::default();
    // Without any agent, there is the default one.
    let agents = if config.agents.is_empty() { std::slice::from_ref(&default) } else { config.agents.as_slice() };
    let names: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
    for (index, rule) in config.permissions.rules.iter().enumerate() {
        let Some(agent) = rule.agent.as_deref().filter(|agent| !names.contains(agent)) else { continue };
        let hint = nearest(agent, names.iter().copied()).map(|near| format!(" did you mean `{near}`?"));
        let (hint, known) = (hint.unwrap_or_default(), names.join(", "));
        let message = format!("there is no agent `{agent}`;{hint} the agents are {known}");
        return Err(source.complaint(&format!("permissions.rules.{index}.agent"), message));
    }
    if config.permissions.allow_bypass {
        return Ok(());
    }
    for (index, agent) in config.agents.iter().enumerate() {
        let own = Some((format!("agents.{index}.permission_mode"), agent.permission_mode));
        let of_modes = agent.modes.iter().filter_map(|(mode, settings)| {
            Some((format!("agents.{index}.modes.{mode}.permission_mode"), settings.permission_mode()?))
        });
        let mut bypasses = own.into_iter().chain(of_modes).filter(|(_, mode)| *mode == PermissionModeConfig::Bypass);
        if let Some((path, _)) = bypasses.next() {
            let message = format!("agent `{}`: `bypass` needs `allow_bypass = true` in [permissions]", agent.name);
            return Err(source.complaint(&path, message));
        }
    }
    Ok(())
}

/// Reports whether there is a tool of this name, whether or not an agent has it. An MCP server may have any tool.
pub(crate) fn is_tool(name: &str, config: &Config) -> bool {
    is_known(name, &config.tools) || OF_ENGINE.contains(&name) || server_of(name, &config.mcp).is_some()
}

/// Returns the names of all built-in tools that a configuration can enable.
fn built_in<'a>() -> impl Iterator<Item = &'a str> {
    let by_name = BY_NAME.into_iter().filter(|name| !FILE_TOOLS.contains(name));
    NAMES.iter().chain(FILE_TOOLS).copied().chain(by_name).map(|name| -> &'a str { name })
}

/// Reports whether `name` is the name of a tool or, if it ends with `*`, a prefix of one.
fn matches_any_tool(name: &str, tools: &ToolsConfig) -> bool {
    match name.strip_suffix('*') {
        Some(beginning) => names(tools).any(|tool| tool.starts_with(beginning)),
        None => is_known(name, tools),
    }
}

/// Reports whether an agent lists a tool that no MCP server has. A `*` at the end of a name matches any suffix, except
/// the tools of [`BY_NAME`].
pub(crate) fn lists_tool(agent: &AgentConfig, tool: &str) -> bool {
    agent.tools.iter().any(|name| matches_tool(name, tool) && (name == tool || !BY_NAME.contains(&tool)))
}

/// Reports whether `name` is the name of the tool or, if it ends with `*`, a prefix of it.
pub(crate) fn matches_tool(name: &str, tool: &str) -> bool {
    match name.strip_suffix('*') {
        Some(beginning) => tool.starts_with(beginning),
        None => name == tool,
    }
}

/// Returns the section of the configuration without which no agent has the tool, if that is missing.
pub(crate) fn missing_section(tool: &str, config: &Config) -> Option<&'static str> {
    match tool {
        RunCommand::NAME if config.tools.run_command.is_none() => {
            Some("[tools.run_command] with `roots`, the folders whose files its programs may change")
        }
        tool if FILE_TOOLS.contains(&tool) && config.files.roots.is_empty() => {
            Some("[files] with `roots`, the folders of its files")
        }
        _ => None,
    }
}

/// Returns the names of all tools that agents may list.
pub(super) fn names(tools: &ToolsConfig) -> impl Iterator<Item = &str> {
    built_in().chain(tools.names().map(|(_, name)| name))
}

fn is_known(tool: &str, tools: &ToolsConfig) -> bool {
    names(tools).any(|name| name == tool)
}

fn no_tool(tool: &str, config: &Config) -> String {
    let tools = &config.tools;
    match (nearest(tool, names(tools)), no_server(tool, &config.mcp)) {
        (Some(near), _) => format!("there is no tool `{tool}`; did you mean `{near}`?"),
        (None, Some(why)) => why,
        (None, None) => {
            format!("there is no tool `{tool}`; the tools are {}", names(tools).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Returns why a rule cannot name this tool. Tools of clients are not known here, so a pattern must name them.
fn no_tool_of_rule(tool: &str, config: &Config) -> String {
    let why = no_tool(tool, config);
    if tool.is_empty() || tool.contains('*') {
        return why;
    }
    let separator = if why.ends_with('?') { " " } else { "; " };
    format!("{why}{separator}a rule about a tool of clients names it with a `*`: `{tool}*`")
}
