//! Tests of MCP servers that operators list and reconnect.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use turnkit_core::Scope;
use turnkit_core::ports::{
    BoxFuture, LeftOutTool, McpAddress, McpDirectory, McpInfo, McpState, McpStatus, McpToolStatus, ToolSourceError,
};
use turnkit_testkit::Reply;

use crate::running::Setup;

/// Two MCP servers: `tickets`, which can be connected, and `files`, which cannot.
#[derive(Clone, Default)]
pub(crate) struct Servers {
    /// On whose behalf `tickets` was connected.
    connected: Arc<Mutex<Vec<Scope>>>,
}

impl McpDirectory for Servers {
    fn servers(&self) -> Vec<McpStatus> {
        let info = McpInfo {
            protocol: "2025-11-25".to_owned(),
            server: Some("ticketing 1.4.0".to_owned()),
            list_age: Some(Duration::ZERO),
            tools: vec![McpToolStatus { name: "tickets__find".to_owned(), changed: None }],
            left_out: vec![LeftOutTool { name: "a b".to_owned(), why: "its name".to_owned() }],
        };
        let is_connected = !self.connected.lock().unwrap().is_empty();
        let tickets = McpStatus {
            name: "tickets".to_owned(),
            address: McpAddress::Url("https://tickets.example.com/mcp".to_owned()),
            connections: 1,
            state: if is_connected { McpState::Ready(info) } else { McpState::NotStarted },
        };
        let files = McpStatus {
            name: "files".to_owned(),
            address: McpAddress::Program("mcp-files".to_owned()),
            connections: 1,
            state: McpState::Starting,
        };
        vec![tickets, files]
    }

    fn reconnect<'a>(&'a self, name: &'a str, scope: &'a Scope) -> BoxFuture<'a, Option<Result<(), ToolSourceError>>> {
        Box::pin(async move {
            match name {
                "tickets" => {
                    self.connected.lock().unwrap().push(scope.clone());
                    Some(Ok(()))
                }
                "files" => Some(Err(ToolSourceError("there is no program `mcp-files`".to_owned()))),
                _ => None,
            }
        })
    }
}

#[tokio::test]
async fn mcp_servers_are_listed_in_pages_for_operators() {
    let server = Setup::always(Reply::text("Hello")).mcp_servers(Servers::default()).locked().run().await;
    let (bob, operator) = (server.user("bob").await, server.operator());
    let tickets = json!({
        "name": "tickets", "transport": "http", "url": "https://tickets.example.com/mcp", "state": "not_started",
        "connections": 1, "tools": [],
    });
    let files = json!({
        "name": "files", "transport": "stdio", "program": "mcp-files", "state": "starting",
        "connections": 1, "tools": [],
    });
    for (path, data, next) in [
        ("/api/v1/mcp", json!([tickets, files]), Value::Null),
        ("/api/v1/mcp?limit=1", json!([tickets]), json!("tickets")),
        ("/api/v1/mcp?cursor=tickets", json!([files]), Value::Null),
    ] {
        assert_eq!(operator.get(path).await.json(), json!({ "data": data, "next": next }), "{path}");
        let refused = bob.get(path).await;
        assert_eq!((refused.status, refused.code().as_str()), (403, "forbidden"), "{path}");
    }
    // Without a directory, there are no servers.
    let without = Setup::always(Reply::text("Hello")).run().await;
    assert_eq!(without.operator().get("/api/v1/mcp").await.json(), json!({ "data": [], "next": null }));
    assert_eq!(without.operator().request("POST", "/api/v1/mcp/tickets/reconnect").send().await.status, 404);
    assert_eq!(without.client.get("/api/v1/mcp").await.status, 403, "without keys, it takes the operator's token");
}

#[tokio::test]
async fn an_operator_reconnects_an_mcp_server_and_reads_its_tools_or_why_it_cannot_be_used() {
    let servers = Servers::default();
    let server = Setup::always(Reply::text("Hello")).mcp_servers(servers.clone()).locked().run().await;
    let (bob, operator) = (server.user("bob").await, server.operator());
    let reconnect = |name: &str| format!("/api/v1/mcp/{name}/reconnect");
    let refused = bob.request("POST", &reconnect("tickets")).send().await;
    assert_eq!((refused.status, refused.code().as_str()), (403, "forbidden"));
    assert!(servers.connected.lock().unwrap().is_empty());

    let mut connected = operator.request("POST", &reconnect("tickets")).send().await.json();
    assert!(connected["tools_read_at"].as_str().unwrap().starts_with("2027-"), "{connected}");
    connected.as_object_mut().unwrap().remove("tools_read_at");
    assert_eq!(
        connected,
        json!({
            "name": "tickets", "transport": "http", "url": "https://tickets.example.com/mcp", "state": "ready",
            "connections": 1, "protocol": "2025-11-25", "server": "ticketing 1.4.0",
            "tools": [
                { "name": "tickets__find", "state": "pinned" },
                { "name": "a b", "state": "quarantined", "reason": "its name" },
            ],
        })
    );
    assert_eq!(*servers.connected.lock().unwrap(), [Scope::local()]);

    let failed = operator.request("POST", &reconnect("files")).send().await;
    assert_eq!((failed.status, failed.code().as_str()), (503, "unavailable"));
    assert!(failed.body.contains("there is no program `mcp-files`"), "{}", failed.body);
    for name in ["nonesuch", "tickets%00", "Tickets"] {
        let unknown = operator.request("POST", &reconnect(name)).send().await;
        assert_eq!((unknown.status, unknown.code().as_str()), (404, "not_found"), "{name}");
    }
}
