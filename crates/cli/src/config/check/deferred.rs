//! Checks of the tools that an agent defers.

use turnkit_engine::ReadSkill;
use turnkit_tools::{FILE_TOOLS, RunCommand};

use super::super::source::Source;
use super::super::{AgentConfig, Config, ConfigError};
use super::tools::{BY_NAME, names};

/// Checks that the agent has all tools that it defers.
pub(super) fn check(index: usize, agent: &AgentConfig, config: &Config, source: &Source) -> Result<(), ConfigError> {
    match agent.defer_tools.iter().enumerate().find(|(_, name)| !has(agent, name, config)) {
        Some((item, name)) => {
            let message = format!("agent `{}`: `{name}` stands for none of its `tools`", agent.name);
            Err(source.complaint(&format!("agents.{index}.defer_tools.{item}"), message))
        }
        None => Ok(()),
    }
}

/// Reports whether the agent has a tool that `name` stands for.
fn has(agent: &AgentConfig, name: &str, config: &Config) -> bool {
    let mut tools = names(&config.tools).filter(|tool| is_available(tool, config) && is_listed(tool, agent));
    tools.any(|tool| stands_for(name, tool)) || (agent.skills.is_some() && stands_for(name, ReadSkill::NAME))
}

fn is_available(tool: &str, config: &Config) -> bool {
    match tool {
        RunCommand::NAME => config.tools.run_command.is_some(),
        tool => !FILE_TOOLS.contains(&tool) || !config.files.roots.is_empty(),
    }
}

fn is_listed(tool: &str, agent: &AgentConfig) -> bool {
    let is_named = |name: &String| stands_for(name, tool) && (name == tool || !BY_NAME.contains(&tool));
    agent.tools.iter().any(is_named)
}

/// Reports whether `name` is the name of the tool or, if it ends with `*`, a prefix of it.
fn stands_for(name: &str, tool: &str) -> bool {
    match name.strip_suffix('*') {
        Some(beginning) => tool.starts_with(beginning),
        None => name == tool,
    }
}
