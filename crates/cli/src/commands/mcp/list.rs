//! `turnkit mcp ls`: the configured servers.

use std::process::ExitCode;

use serde_json::{Value, json};
use turnkit_core::ports::ToolSource as _;
use turnkit_mcp::{McpAddress, McpServer, Trust};

use super::servers;
use crate::args::Place;
use crate::config::{AgentConfig, load_without_keys};
use crate::failure::Failure;
use crate::terminal::{json_line, line, revealed};

pub(super) fn run(place: &Place, as_json: bool) -> Result<ExitCode, Failure> {
    let resolved = load_without_keys(place)?;
    let agents = &resolved.config.agents;
    let rows: Vec<Row> = servers::all(&resolved).iter().map(|server| Row::new(server, agents)).collect();
    let printed = match as_json {
        true => {
            json_line(&json!({ "data": rows.iter().map(Row::as_json).collect::<Vec<_>>(), "next": null }).to_string())
        }
        false => rows.iter().try_for_each(|row| line(&revealed(&row.as_line()))),
    };
    printed.map_err(|error| Failure::of_output(&error))?;
    Ok(ExitCode::SUCCESS)
}

/// A server of the list.
struct Row {
    name: String,
    address: McpAddress,
    trust: Trust,
    is_deferred: bool,
    /// The names of the agents that list its tools.
    agents: Vec<String>,
}

impl Row {
    fn new(server: &McpServer, agents: &[AgentConfig]) -> Self {
        let listing = agents.iter().filter(|agent| lists_server(&agent.tools, server.name()));
        Self {
            name: server.name().to_owned(),
            address: server.address(),
            trust: server.trust(),
            is_deferred: server.defers(),
            agents: listing.map(|agent| agent.name.clone()).collect(),
        }
    }

    fn as_line(&self) -> String {
        let Self { name, address, trust, is_deferred, agents } = self;
        let deferred = if *is_deferred { "  deferred" } else { "" };
        let agents = match agents.is_empty() {
            true => format!("no agent lists {name}__*"),
            false => format!("agents {}", agents.join(", ")),
        };
        format!("{name}  {address}  trust {}{deferred}  {agents}", in_words(*trust))
    }

    fn as_json(&self) -> Value {
        let Self { name, address, trust, is_deferred, agents } = self;
        let (program, url) = match address {
            McpAddress::Program(program) => (Some(program), None),
            McpAddress::Url(url) => (None, Some(url)),
        };
        let trust = in_words(*trust);
        json!({
            "name": name, "program": program, "url": url, "trust": trust, "defer": is_deferred, "agents": agents,
        })
    }
}

/// Reports whether an agent with these `tools` lists tools of the server.
fn lists_server(tools: &[String], server: &str) -> bool {
    // The first two underscores separate the server from the tool.
    tools.iter().any(|tool| tool.split_once("__").is_some_and(|(name, _)| name == server))
}

/// Returns the trust as the configuration writes it.
fn in_words(trust: Trust) -> &'static str {
    match trust {
        Trust::None => "none",
        Trust::Annotations => "annotations",
        Trust::Full => "full",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_lists_a_server_by_one_of_its_tools_or_by_all() {
        for (tools, expected) in [
            (&["tickets__*"][..], true),
            (&["calculator", "tickets__find"], true),
            (&["tickets__find__all"], true),
            (&["*"], false),
            (&["tickets"], false),
            (&["my-tickets__*"], false),
            (&["tickets2__*"], false),
            (&[], false),
        ] {
            let tools: Vec<String> = tools.iter().map(|&tool| tool.to_owned()).collect();
            assert_eq!(lists_server(&tools, "tickets"), expected, "{tools:?}");
        }
    }

    #[test]
    fn a_line_shows_where_a_server_is_and_who_uses_it() {
        let mut row = Row {
            name: "tickets".to_owned(),
            address: McpAddress::Url("https://tickets.example.com/mcp".to_owned()),
            trust: Trust::Annotations,
            is_deferred: false,
            agents: vec!["support".to_owned(), "ops".to_owned()],
        };
        assert_eq!(row.as_line(), "tickets  https://tickets.example.com/mcp  trust annotations  agents support, ops");
        assert_eq!(
            row.as_json(),
            json!({
                "name": "tickets", "program": null, "url": "https://tickets.example.com/mcp", "trust": "annotations",
                "defer": false, "agents": ["support", "ops"],
            })
        );
        row = Row { address: McpAddress::Program("mcp-tickets".to_owned()), is_deferred: true, agents: vec![], ..row };
        assert_eq!(row.as_line(), "tickets  mcp-tickets  trust annotations  deferred  no agent lists tickets__*");
    }
}
