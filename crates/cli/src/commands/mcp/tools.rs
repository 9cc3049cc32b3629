//! `turnkit mcp tools`: the tools of servers.

use std::process::ExitCode;
use std::sync::Arc;

use futures_util::future::join_all;
use serde_json::{Value, json};
use turnkit_core::ports::{ToolSet, ToolSource as _};
use turnkit_core::{ToolDefinition, ToolFlags};
use turnkit_mcp::LeftOutTool;

use super::servers;
use crate::args::Place;
use crate::config::load;
use crate::failure::Failure;
use crate::terminal::{error, json_line, line, remark, revealed, shortened};

/// The number of characters of a description on its line.
const DESCRIPTION_CHARS: usize = 200;

pub(super) async fn run(place: &Place, server: Option<&str>, as_json: bool) -> Result<ExitCode, Failure> {
    let resolved = load(place)?;
    let servers = match server {
        Some(name) => vec![servers::find(&resolved, name)?],
        None => servers::all(&resolved),
    };
    let connecting = join_all(servers.iter().map(servers::connect));
    let message = format!("connecting to {}", servers::names(&servers));
    let connected = servers::shown_if_slow(&message, connecting).await;
    let listed = servers.iter().zip(connected).map(|(server, tools)| Listed {
        server: server.name().to_owned(),
        left_out: servers::left_out(server),
        tools,
    });
    let listed: Vec<Listed> = listed.collect();
    let printed = match as_json {
        true => json_line(&all_as_json(&listed).to_string()),
        false => listed.iter().flat_map(Listed::lines).try_for_each(|text| line(&revealed(&text))),
    };
    printed.map_err(|error| Failure::of_output(&error))?;
    listed.iter().for_each(Listed::report);
    Ok(match listed.iter().all(|listed| listed.tools.is_ok()) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// The tools of a server, or the reason why it cannot be used.
struct Listed {
    server: String,
    tools: Result<Arc<ToolSet>, String>,
    left_out: Vec<LeftOutTool>,
}

impl Listed {
    fn definitions(&self) -> impl Iterator<Item = &ToolDefinition> {
        self.tools.iter().flat_map(|tools| tools.tools()).map(|tool| tool.definition())
    }

    fn lines(&self) -> Vec<String> {
        let left_out = self
            .left_out
            .iter()
            .map(|LeftOutTool { name, why }| format!("{}: `{name}` is not offered to models: {why}", self.server));
        self.definitions().map(tool_line).chain(left_out).collect()
    }

    /// Reports on standard error that there is nothing to list.
    fn report(&self) {
        match &self.tools {
            Err(why) => error(&format!("{}: {why}; `turnkit mcp doctor` checks the servers", self.server)),
            Ok(tools) if tools.tools().is_empty() => remark(&format!("{} offers no tools", self.server)),
            Ok(_) => {}
        }
    }
}

fn tool_line(tool: &ToolDefinition) -> String {
    let first = tool.description.lines().next().unwrap_or_default();
    let line = format!("{}  {}  {}", tool.name, in_words(tool.flags), shortened(first, DESCRIPTION_CHARS));
    line.trim_end().to_owned()
}

fn in_words(flags: ToolFlags) -> String {
    let words = [
        (flags.read_only, "read-only"),
        (flags.idempotent, "idempotent"),
        (flags.destructive, "destructive"),
        (flags.open_world, "open world"),
    ];
    let set: Vec<&str> = words.into_iter().filter(|(is_set, _)| *is_set).map(|(_, word)| word).collect();
    if set.is_empty() { "-".to_owned() } else { set.join(", ") }
}

fn all_as_json(listed: &[Listed]) -> Value {
    let tools = listed.iter().flat_map(|listed| listed.definitions().map(|tool| as_json(&listed.server, tool)));
    let left_out = listed.iter().flat_map(|Listed { server, left_out, .. }| {
        left_out.iter().map(move |LeftOutTool { name, why }| json!({ "server": server, "name": name, "why": why }))
    });
    let failing = listed.iter().filter_map(|Listed { server, tools, .. }| {
        let error = tools.as_ref().err()?;
        Some(json!({ "server": server, "error": error }))
    });
    json!({
        "data": tools.collect::<Vec<_>>(),
        "left_out": left_out.collect::<Vec<_>>(),
        "failing": failing.collect::<Vec<_>>(),
        "next": null,
    })
}

fn as_json(server: &str, tool: &ToolDefinition) -> Value {
    let ToolDefinition { name, description, parameters, flags, .. } = tool;
    json!({
        "name": name,
        "server": server,
        "description": description,
        "read_only": flags.read_only,
        "idempotent": flags.idempotent,
        "destructive": flags.destructive,
        "open_world": flags.open_world,
        "parameters": parameters,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(description: &str, flags: ToolFlags) -> ToolDefinition {
        ToolDefinition::new("tickets__find", description, r#"{"type":"object"}"#).unwrap().with_flags(flags)
    }

    #[test]
    fn a_line_shows_the_flags_and_the_first_line_of_the_description() {
        let strict = ToolFlags { destructive: true, open_world: true, ..ToolFlags::default() };
        for (description, flags, expected) in [
            ("Finds tickets.\nSlowly.", ToolFlags::read_only(), "tickets__find  read-only, idempotent  Finds tickets."),
            ("", strict, "tickets__find  destructive, open world"),
            ("Adds.", ToolFlags::default(), "tickets__find  -  Adds."),
        ] {
            assert_eq!(tool_line(&tool(description, flags)), expected);
        }
    }

    #[test]
    fn the_json_has_schemas_and_tools_that_are_not_offered_and_servers_that_fail() {
        let left_out = vec![LeftOutTool { name: "x y".to_owned(), why: "its name".to_owned() }];
        let usable = Listed { server: "tickets".to_owned(), tools: Ok(Arc::default()), left_out };
        let failing = Listed { server: "files".to_owned(), tools: Err("no".to_owned()), left_out: Vec::new() };
        assert_eq!(usable.lines(), ["tickets: `x y` is not offered to models: its name"]);
        assert_eq!(failing.lines(), [] as [String; 0]);
        assert_eq!(
            all_as_json(&[usable, failing]),
            json!({
                "data": [],
                "left_out": [{ "server": "tickets", "name": "x y", "why": "its name" }],
                "failing": [{ "server": "files", "error": "no" }],
                "next": null,
            })
        );
        let json = as_json("tickets", &tool("Finds.", ToolFlags::read_only()));
        assert_eq!((&json["parameters"]["type"], &json["read_only"]), (&json!("object"), &json!(true)));
    }
}
