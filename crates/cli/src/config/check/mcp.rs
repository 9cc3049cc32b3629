//! Checks of MCP servers, and of names of their tools.

use super::super::mcp::InvalidServer;
use super::super::nearest::nearest;
use super::super::schema::McpConfig;
use super::super::source::Source;
use super::super::{Config, ConfigError, mcp};
use super::repeated;

/// The separator between the name of a server and that of its tool.
const SEPARATOR: &str = "__";

/// Checks the servers.
pub(super) fn check(config: &Config, source: &Source) -> Result<(), ConfigError> {
    for (index, server) in config.mcp.iter().enumerate() {
        mcp::check(server).and_then(|()| check_callers(server, config)).map_err(|(key, why)| {
            let message = match server.name.as_str() {
                "" => why,
                name => format!("MCP server `{name}`: {why}"),
            };
            source.complaint(&format!("mcp.{index}.{key}"), message)
        })?;
    }
    let names: Vec<&str> = config.mcp.iter().map(|server| server.name.as_str()).collect();
    if let Some((index, name)) = repeated(&names) {
        return Err(source.complaint(&format!("mcp.{index}.name"), format!("two MCP servers are called `{name}`")));
    }
    for (key, tool) in config.tools.names() {
        if let Some(server) = server_of(tool, &config.mcp) {
            let why = format!("`{tool}` begins like the tools of the MCP server `{server}`; choose another name");
            return Err(source.complaint(&key, why));
        }
    }
    Ok(())
}

/// Checks that callers have tokens, if a server needs them.
fn check_callers(server: &McpConfig, config: &Config) -> Result<(), InvalidServer> {
    if !mcp::needs_callers(server) || config.auth.mode.accepts_tokens() {
        return Ok(());
    }
    let why = "`exchange` needs the tokens of callers: set `mode` of [auth] to \"jwt\" or \"api_key_or_jwt\", or use \
               `client_credentials`";
    Err(("auth.type".to_owned(), why.to_owned()))
}

/// Returns the MCP server whose tools a name in the `tools` of an agent or in a rule means: one tool or, with a `*` at
/// the end, several. Which tools a server has is not known before it runs.
pub(crate) fn server_of<'a>(name: &str, servers: &'a [McpConfig]) -> Option<&'a str> {
    let (server, tool) = name.split_once(SEPARATOR)?;
    let is_name = !tool.is_empty() && !tool.strip_suffix('*').unwrap_or(tool).contains('*');
    servers.iter().map(|known| known.name.as_str()).find(|known| is_name && *known == server)
}

/// Reports whether a tool of a server, if it has such a tool, could match both names.
pub(super) fn overlap(one: &str, other: &str) -> bool {
    match (one.strip_suffix('*'), other.strip_suffix('*')) {
        (None, None) => one == other,
        (Some(beginning), None) => other.starts_with(beginning),
        (None, Some(beginning)) => one.starts_with(beginning),
        (Some(one), Some(other)) => one.starts_with(other) || other.starts_with(one),
    }
}

/// Returns why a name means no tools of a server although it looks as if it should, with the way out.
pub(super) fn no_server(name: &str, servers: &[McpConfig]) -> Option<String> {
    let names = || servers.iter().map(|server| server.name.as_str());
    let (beginning, is_separated) = match name.split_once(SEPARATOR) {
        Some((server, _)) => (server, true),
        None => (name.strip_suffix('*').unwrap_or(name), false),
    };
    let meant = names().find(|server| match is_separated {
        true => *server == beginning,
        false => !beginning.is_empty() && server.starts_with(beginning),
    });
    if let Some(server) = meant {
        let all = format!("`{server}{SEPARATOR}*` means all tools of the MCP server `{server}`");
        return Some(format!("there is no tool `{name}`; {all}"));
    }
    if !is_separated {
        return None;
    }
    let remedy = match nearest(beginning, names()) {
        Some(near) => format!("did you mean `{near}{SEPARATOR}…`?"),
        None if servers.is_empty() => format!("add a section [[mcp]] with name = \"{beginning}\""),
        None => format!("the servers are {}", names().collect::<Vec<_>>().join(", ")),
    };
    Some(format!("there is no MCP server `{beginning}` for the tool `{name}`; {remedy}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn servers() -> Vec<McpConfig> {
        ["tickets", "a"].map(|name| McpConfig { name: name.to_owned(), ..McpConfig::default() }).into()
    }

    #[test]
    fn a_name_means_tools_of_the_server_before_its_first_two_underscores() {
        for (name, expected) in [
            ("tickets__find", Some("tickets")),
            ("tickets__*", Some("tickets")),
            ("tickets__find_*", Some("tickets")),
            ("tickets___x", Some("tickets")),
            ("a__tickets__find", Some("a")),
            ("tickets__", None),
            ("tickets__a*b", None),
            ("tickets_find", None),
            ("tickets*", None),
            ("ticket__find", None),
            ("*", None),
        ] {
            assert_eq!(server_of(name, &servers()), expected, "{name}");
        }
    }

    #[test]
    fn a_name_that_means_no_server_is_explained() {
        for (name, expected) in [
            (
                "ticket__find",
                Some("there is no MCP server `ticket` for the tool `ticket__find`; did you mean `tickets__…`?"),
            ),
            ("tick*", Some("there is no tool `tick*`; `tickets__*` means all tools of the MCP server `tickets`")),
            ("tickets", Some("there is no tool `tickets`; `tickets__*` means all tools of the MCP server `tickets`")),
            (
                "organisations__find",
                Some(
                    "there is no MCP server `organisations` for the tool `organisations__find`; the servers are \
                     tickets, a",
                ),
            ),
            ("clocks", None),
        ] {
            assert_eq!(no_server(name, &servers()).as_deref(), expected, "{name}");
        }
        let why = no_server("x__y", &[]);
        let expected =
            "there is no MCP server `x` for the tool `x__y`; add a section [[mcp]] with name = \"x\"".to_owned();
        assert_eq!(why, Some(expected));
    }

    #[test]
    fn patterns_overlap_if_a_name_could_match_both() {
        for (one, other, expected) in [
            ("tickets__*", "tickets__find", true),
            ("tick*", "tickets__*", true),
            ("*", "tickets__find", true),
            ("tickets__find", "tickets__close", false),
            ("tickets__f*", "tickets__c*", false),
        ] {
            assert_eq!((overlap(one, other), overlap(other, one)), (expected, expected), "{one} {other}");
        }
    }
}
