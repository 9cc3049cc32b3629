//! MCP servers in responses.

use serde::Serialize;
use turnkit_core::ports::{LeftOutTool, McpAddress, McpInfo, McpState, McpStatus, McpToolStatus};
use turnkit_core::{RawJson, Timestamp};
use utoipa::ToSchema;

use super::accepted::Accepted;
use crate::hexadecimal::hexadecimal;
use crate::routes::tools::ToolEffectsBody;

/// An MCP server whose tools agents use.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct McpServerBody {
    /// The name of the server, with which the names of its tools begin.
    pub(super) name: String,
    /// `stdio`: a program that speaks over its standard input and output, or `http`: an address.
    transport: String,
    /// The program, without its arguments. Absent for an address.
    #[serde(skip_serializing_if = "Option::is_none")]
    program: Option<String>,
    /// The address, without credentials and query. Absent for a program.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    /// `not_started`: not needed so far, or its connection has ended; `starting`; `ready`; or `failing`. If owners of
    /// sessions have connections of their own, this and the fields below describe the one that was used last.
    state: String,
    /// Why the server is failing, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// When a failing server is started again at the earliest.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    retry_at: Option<Timestamp>,
    /// The number of its connections, open or not. It is above one only if users or tenants have connections of their
    /// own.
    connections: usize,
    /// The version of the protocol that a ready server speaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    protocol: Option<String>,
    /// The name and the version that a ready server reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<String>,
    /// When the list of its tools was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    tools_read_at: Option<Timestamp>,
    /// The tools of a ready server: those that models can be offered, then the others.
    tools: Vec<McpToolBody>,
}

/// A tool of an MCP server.
#[derive(Debug, Serialize, ToSchema)]
struct McpToolBody {
    /// The name that models know; for a quarantined tool, the name that the server knows.
    name: String,
    /// `pinned`: the definition is the accepted one, or will be accepted when a turn is first offered it; `changed`: it
    /// differs from the accepted one, so calls need approval; or `quarantined`: models are not offered the tool.
    state: String,
    /// Why the tool is quarantined, or what the change means.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// When the present definition of a changed tool was first seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    changed_at: Option<Timestamp>,
    /// The present definition of a changed tool.
    #[serde(flatten)]
    #[schema(value_type = PresentDefinitionBody)]
    definition: Option<PresentDefinitionBody>,
}

/// The present definition of a changed tool, as models read it. Of other tools, it is absent.
#[derive(Debug, Serialize, ToSchema)]
struct PresentDefinitionBody {
    /// The description.
    #[schema(required = false)]
    description: String,
    /// The JSON Schema of the arguments.
    #[schema(required = false, value_type = Object)]
    input_schema: RawJson,
    /// The effects of a call, as far as the server is trusted to state them.
    #[schema(required = false)]
    effects: ToolEffectsBody,
    /// Stands for all that the server says about the tool, also for what models do not read. Accepting the tool with it
    /// accepts no other definition.
    #[schema(required = false)]
    fingerprint: String,
}

impl McpServerBody {
    /// Describes a server. `now` is the time of its status.
    pub(super) fn new(status: McpStatus, accepted: &Accepted, now: Timestamp) -> Self {
        let McpStatus { name, address, connections, state, owner: _ } = status;
        let (transport, program, url) = match address {
            McpAddress::Program(program) => ("stdio", Some(program), None),
            McpAddress::Url(url) => ("http", None, Some(url)),
        };
        let (state, failure, info) = match state {
            McpState::NotStarted => ("not_started", None, McpInfo::default()),
            McpState::Starting => ("starting", None, McpInfo::default()),
            McpState::Ready(info) => ("ready", None, info),
            McpState::Failing { error, retry_in } => ("failing", Some((error, now.plus(retry_in))), McpInfo::default()),
        };
        let (error, retry_at) = failure.unzip();
        let McpInfo { protocol, server, list_age, tools, left_out } = info;
        let offered = tools.into_iter().map(|tool| McpToolBody::offered(tool, accepted, now));
        Self {
            name,
            transport: transport.to_owned(),
            program,
            url,
            state: state.to_owned(),
            error,
            retry_at,
            connections,
            protocol: Some(protocol).filter(|protocol| !protocol.is_empty()),
            server,
            tools_read_at: list_age.map(|age| now.minus(age)),
            tools: offered.chain(left_out.into_iter().map(McpToolBody::quarantined)).collect(),
        }
    }
}

impl McpToolBody {
    fn offered(tool: McpToolStatus, accepted: &Accepted, now: Timestamp) -> Self {
        if !accepted.differs(&tool) {
            return Self::new(tool.name, "pinned", None);
        }
        let changed_at = accepted.changed_at(&tool).or_else(|| tool.changed.map(|age| now.minus(age)));
        let reason = Some("calls need approval until the new definition is accepted".to_owned());
        let McpToolStatus { name, description, parameters, flags, fingerprint, .. } = tool;
        let definition = fingerprint.map(|fingerprint| PresentDefinitionBody {
            description,
            input_schema: parameters,
            effects: flags.into(),
            fingerprint: hexadecimal(&fingerprint),
        });
        Self { changed_at, definition, ..Self::new(name, "changed", reason) }
    }

    fn quarantined(tool: LeftOutTool) -> Self {
        let LeftOutTool { name, why } = tool;
        Self::new(name, "quarantined", Some(why))
    }

    fn new(name: String, state: &str, reason: Option<String>) -> Self {
        Self { name, state: state.to_owned(), reason, changed_at: None, definition: None }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};
    use turnkit_core::ToolFlags;
    use turnkit_core::ports::PinOwner;

    use super::*;

    fn described(state: McpState) -> Value {
        let (name, address) = ("tickets".to_owned(), McpAddress::Program("mcp-tickets".to_owned()));
        let status = McpStatus { name, address, connections: 1, state, owner: PinOwner::Everyone };
        json!(McpServerBody::new(status, &Accepted::default(), Timestamp::from_millis(60_000)))
    }

    #[test]
    fn ages_and_waits_become_times() {
        let failing = McpState::Failing { error: "no".to_owned(), retry_in: Duration::from_secs(4) };
        let failing = described(failing);
        assert_eq!((&failing["error"], &failing["retry_at"]), (&json!("no"), &json!("1970-01-01T00:01:04.000Z")));
        assert_eq!((&failing["state"], &failing["tools"]), (&json!("failing"), &json!([])));

        let changed = Some(Duration::from_secs(30));
        let tool = McpToolStatus {
            name: "tickets__find".to_owned(),
            description: "Finds tickets.".to_owned(),
            parameters: RawJson::empty_object(),
            flags: ToolFlags::read_only(),
            fingerprint: Some([1; 32]),
            changed,
        };
        let tools = vec![tool];
        let ready = McpInfo { list_age: Some(Duration::from_secs(10)), tools, ..McpInfo::default() };
        let ready = described(McpState::Ready(ready));
        assert_eq!(ready["tools_read_at"], "1970-01-01T00:00:50.000Z");
        // No turn was offered the tool, so no definition was accepted from which it could differ.
        assert_eq!(ready["tools"], json!([{ "name": "tickets__find", "state": "pinned" }]));
        assert!(ready.get("protocol").is_none() && ready.get("error").is_none(), "{ready}");
    }
}
