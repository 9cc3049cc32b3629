//! Checks that deserialisation alone cannot make.

mod address;
mod auth;
mod deferred;
mod mcp;
mod model;
mod prompt;
mod provider;
mod route;
mod server;
mod tools;

use turnkit_core::SamplingParams;

use super::source::Source;
use super::{AgentConfig, Config, ConfigError, PruneConfig};

pub(super) use address::is_web_address;
pub(crate) use mcp::server_of;
pub(crate) use tools::{is_tool, lists_tool, matches_tool, missing_section};

/// Finds the first setting that cannot work.
pub(super) fn check(config: &Config, source: &Source) -> Result<(), ConfigError> {
    let ids: Vec<&str> = config.providers.iter().map(|provider| provider.id.as_str()).collect();
    if let Some((index, id)) = repeated(&ids) {
        return Err(source.complaint(&format!("providers.{index}.id"), format!("two providers are called `{id}`")));
    }
    let names: Vec<&str> = config.agents.iter().map(|agent| agent.name.as_str()).collect();
    if let Some((index, name)) = repeated(&names) {
        return Err(source.complaint(&format!("agents.{index}.name"), format!("two agents are called `{name}`")));
    }
    tools::check_added(&config.tools, source)?;
    mcp::check(config, source)?;
    config.agents.iter().enumerate().try_for_each(|(index, agent)| check_agent(index, agent, config, source))?;
    config.providers.iter().enumerate().try_for_each(|(index, provider)| provider::check(index, provider, source))?;
    config.agents.iter().enumerate().try_for_each(|(index, agent)| route::check(index, agent, config, source))?;
    prompt::check(&config.prompts, source)?;
    tools::check_rules(config, source)?;
    tools::check_permissions(config, source)?;
    server::check(config, source)?;
    auth::check(config, source)
}

/// Returns the first name that occurred before, with its index.
fn repeated<'a>(names: &[&'a str]) -> Option<(usize, &'a str)> {
    names.iter().enumerate().find(|(index, name)| names[..*index].contains(name)).map(|(index, name)| (index, *name))
}

fn check_agent(index: usize, agent: &AgentConfig, config: &Config, source: &Source) -> Result<(), ConfigError> {
    let name = &agent.name;
    if name.trim().is_empty() {
        return Err(source.complaint(&format!("agents.{index}.name"), "an agent needs a name"));
    }
    let twice = [
        ("instructions", agent.instructions.is_some() && agent.instructions_file.is_some()),
        ("output_schema", agent.output_schema.is_some() && agent.output_schema_file.is_some()),
    ];
    if let Some((key, _)) = twice.iter().find(|(_, twice)| *twice) {
        let message = format!("agent `{name}` has both `{key}` and `{key}_file`; keep one");
        return Err(source.complaint(&format!("agents.{index}.{key}_file"), message));
    }
    if agent.thinking.is_some() && agent.params.thinking.is_some() {
        let message = format!("agent `{name}` has both `thinking` and `params.thinking`; keep one");
        return Err(source.complaint(&format!("agents.{index}.params.thinking"), message));
    }
    if let Err(invalid) = SamplingParams::from(&agent.params).check() {
        return Err(source.complaint(&format!("agents.{index}.{}", invalid.field), invalid.to_string()));
    }
    if agent.context.keep_results > 0 && agent.context.prune == PruneConfig::Never {
        let message = format!("agent `{name}` has both `keep_results` and `prune = \"never\"`; keep one");
        return Err(source.complaint(&format!("agents.{index}.context.keep_results"), message));
    }
    tools::check_agent(index, agent, config, source)?;
    deferred::check(index, agent, config, source)
}
