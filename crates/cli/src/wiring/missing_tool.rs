//! Tools that turnkit has although an agent lacks them.

use turnkit_engine::{ReadSkill, ToolSources};
use turnkit_tools::{FILE_TOOLS, RunCommand};

use super::agents::lists;
use crate::config::{AgentConfig, Config, is_tool};
use crate::sandbox;

/// Returns why an agent lacks a tool, and how it gets the tool. Returns `None` if there is no such tool.
pub(super) fn why_missing(tool: &str, agent: &AgentConfig, config: &Config) -> Option<String> {
    let why = match tool {
        ReadSkill::NAME => "the agent has no skills: set its `skills` to their folder".to_owned(),
        ToolSources::SEARCH => "the agent defers no tools: name some in `defer_tools`".to_owned(),
        _ if is_tool(tool, config) => not_offered(tool, agent, config),
        _ => return None,
    };
    Some(format!("turnkit has this tool, but {why}"))
}

/// Returns why an agent lacks a tool that agents may list.
fn not_offered(tool: &str, agent: &AgentConfig, config: &Config) -> String {
    let listed: Vec<&str> = agent.tools.iter().map(String::as_str).chain([tool]).collect();
    match (lists(agent, tool), missing_section(tool, config)) {
        (false, None) => format!("the agent does not list it: write tools = {listed:?}"),
        (false, Some(section)) => format!("the agent does not list it: write tools = {listed:?}, and add {section}"),
        (true, Some(section)) => format!("it is turned off: add {section}"),
        (true, None) => {
            let why = sandbox::unavailable().unwrap_or_default();
            format!("it is left out, because there is no sandbox for its programs: {why}")
        }
    }
}

/// Returns the section of the configuration without which no agent has the tool, if that is missing.
fn missing_section(tool: &str, config: &Config) -> Option<&'static str> {
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
