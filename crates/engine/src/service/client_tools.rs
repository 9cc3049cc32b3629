//! Tools that a client passes with a turn and runs itself.

use std::collections::HashSet;

use serde_json::{Map, Value};
use turnkit_core::{AcceptError, ClientCaps, RawJson, ToolDefinition};

use super::TurnService;
use crate::agent::Agent;
use crate::catalog::is_of_engine;

impl TurnService {
    /// The most tools that a client may pass with a turn.
    pub const MAX_CLIENT_TOOLS: usize = 128;
    /// The most bytes that the names, descriptions and schemas of these tools may have together.
    pub const MAX_CLIENT_TOOL_BYTES: usize = 256 * 1024;
}

/// Checks the client's tools, as far as they can be checked without the agent.
pub(super) fn check(tools: &[ToolDefinition], caps: ClientCaps) -> Result<(), AcceptError> {
    if tools.is_empty() {
        return Ok(());
    }
    if !caps.interact {
        return Err(invalid("need a client that can be asked for results"));
    }
    let (most, most_bytes) = (TurnService::MAX_CLIENT_TOOLS, TurnService::MAX_CLIENT_TOOL_BYTES);
    if tools.len() > most {
        return Err(invalid(format!("must be at most {most} tools")));
    }
    if tools.iter().map(ToolDefinition::text_bytes).sum::<usize>() > most_bytes {
        return Err(invalid(format!("must be at most {most_bytes} bytes in total")));
    }
    let mut names = HashSet::new();
    for tool in tools {
        if tool.name.trim().is_empty() {
            return Err(invalid("a tool has no name"));
        }
        if is_of_engine(&tool.name) {
            return Err(invalid(format!("{} is the name of a tool of the server; choose another name", tool.name)));
        }
        if !names.insert(tool.name.as_str()) {
            return Err(invalid(format!("two tools have the name {}", tool.name)));
        }
        if let Some(why) = misfit(&tool.parameters) {
            return Err(invalid(format!("the parameters of {} are not a JSON Schema of an object{why}", tool.name)));
        }
    }
    Ok(())
}

/// Returns why no object can match this schema, as the end of a sentence. Providers would get another schema instead.
/// The client checks the arguments, so deeper levels do not matter here.
fn misfit(schema: &RawJson) -> Option<&'static str> {
    let Ok(schema) = schema.read::<Map<String, Value>>() else { return Some("") };
    let is_object = match schema.get("type") {
        None => true,
        Some(Value::Array(types)) => types.iter().any(|one| one == "object"),
        Some(one) => one == "object",
    };
    match schema.get("properties") {
        _ if !is_object => Some(": its `type` must be \"object\""),
        Some(properties) if !properties.is_object() => Some(": its `properties` must be an object"),
        _ => None,
    }
}

/// Checks that no client tool has the name of one of the agent's tools. Tools from the agent's sources are not known
/// before the turn runs.
pub(super) fn check_names(agent: &Agent, client_tools: &[ToolDefinition]) -> Result<(), AcceptError> {
    if client_tools.is_empty() {
        return Ok(());
    }
    let own = agent.flow.tools();
    let taken = own.iter().chain(agent.tools.iter().map(|tool| tool.definition())).map(|tool| tool.name.as_str());
    let taken: HashSet<&str> = taken.collect();
    match client_tools.iter().find(|tool| taken.contains(tool.name.as_str())) {
        Some(tool) => Err(invalid(format!("the agent has a tool {} already; choose another name", tool.name))),
        None => Ok(()),
    }
}

fn invalid(reason: impl Into<String>) -> AcceptError {
    AcceptError::Invalid { field: "client_tools", reason: reason.into() }
}
