//! Warnings about tools that may not do what the operator intends. What cannot work on any machine is an error instead.

use std::collections::BTreeMap;
use std::path::Path;

use turnkit_mcp::{looks_like_credential, names_credential};
use turnkit_net::Target;
use turnkit_tools::RunCommand;

use super::check::server_of;
use super::schema::{McpConfig, RunCommandConfig, Secret};
use super::source::Source;
use super::{AgentConfig, Config, programs};

/// Returns the warnings about tools, each with its place. Relative paths start at `folder`.
pub(super) fn of_tools(config: &Config, folder: &Path, source: &Source) -> Vec<String> {
    let tools = &config.tools;
    let mut found: Vec<(String, String)> = Vec::new();
    if let Some(run) = &tools.run_command {
        found.extend(of_run_command(run, &config.agents));
    }
    for (index, tool) in tools.command.iter().enumerate() {
        let program = tool.run.first().filter(|program| !programs::is_found(program, &tool.env, folder));
        found.extend(program.map(|program| {
            (format!("tools.command.{index}.run"), format!("tool `{}`: {}", tool.name, programs::not_found(program)))
        }));
    }
    for (index, tool) in tools.http.iter().enumerate() {
        let exposed = exposed(&tool.url, tool.auth.is_some(), &tool.headers);
        found.extend(exposed.map(|why| (format!("tools.http.{index}.url"), format!("tool `{}`: {why}", tool.name))));
    }
    for (index, server) in config.mcp.iter().enumerate() {
        let of_server = of_server(server, config, folder).into_iter();
        found.extend(
            of_server.map(|(key, why)| (format!("mcp.{index}.{key}"), format!("MCP server `{}`: {why}", server.name))),
        );
    }
    found.into_iter().map(|(key, why)| source.complaint(&key, why).to_string()).collect()
}

/// Returns the warnings about `run_command`, each with the key that it is about.
fn of_run_command(run: &RunCommandConfig, agents: &[AgentConfig]) -> Vec<(String, String)> {
    let (key, name) = ("tools.run_command", RunCommand::NAME);
    let mut found = Vec::new();
    if !agents.iter().any(|agent| agent.tools.iter().any(|tool| tool == name)) {
        found.push((key.to_owned(), format!("{key} has no effect: no agent names `{name}` in its `tools`")));
    }
    for (index, program) in run.programs.iter().flatten().enumerate() {
        // A call may work in any of the folders.
        if !run.found.roots.iter().any(|root| programs::is_found(program, &run.env, root)) {
            let why = format!("{key}.programs: {}", programs::not_found(program));
            found.push((format!("{key}.programs.{index}"), why));
        }
    }
    found
}

/// Returns the warnings about an MCP server, each with the key that it is about.
fn of_server(server: &McpConfig, config: &Config, folder: &Path) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    let mut listed = config.agents.iter().flat_map(|agent| &agent.tools);
    if !listed.any(|tool| server_of(tool, &config.mcp) == Some(server.name.as_str())) {
        let why = format!("it has no effect: no agent lists its tools; add \"{}__*\" to `tools`", server.name);
        found.push(("name", why));
    }
    let program = server.command.iter().flatten().next();
    let missing = program.filter(|program| !programs::is_found(program, &server.env, folder));
    found.extend(missing.map(|program| ("command", programs::not_found(program))));
    let url = server.url.as_deref();
    let exposed = url.and_then(|url| exposed(url, server.auth.is_some(), &server.headers));
    found.extend(exposed.map(|why| ("url", why)));
    found
}

/// Returns a warning if others could read the credentials of a request on their way.
fn exposed(url: &str, has_auth: bool, headers: &BTreeMap<String, Secret>) -> Option<String> {
    let (address, query) = url.split_once('?').unwrap_or((url, ""));
    let target = Target::new(address).ok().filter(Target::is_exposed)?;
    let has_user = !target.secrets().is_empty();
    if !has_auth && !has_user && !headers.keys().any(|name| names_credential(name)) && !holds_key(address, query) {
        return None;
    }
    let host = target.host();
    Some(format!("its credentials are sent to {host} unencrypted; use https: unless you trust the network"))
}

/// Reports whether a field of the query of an address, or a part of its path, is a credential.
fn holds_key(address: &str, query: &str) -> bool {
    let mut fields = query.split('&').filter_map(|field| field.split_once('='));
    // After the scheme, an empty part and the host.
    fields.any(|(name, _)| names_credential(name)) || address.split('/').skip(3).any(looks_like_credential)
}
