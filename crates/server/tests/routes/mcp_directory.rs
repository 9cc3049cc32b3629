//! Tests of MCP servers that operators list and reconnect.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use turnkit_core::ports::{
    BoxFuture, Clock as _, LeftOutTool, McpAddress, McpDirectory, McpInfo, McpState, McpStatus, McpToolStatus,
    PinOwner, ToolSourceError,
};
use turnkit_core::{RawJson, Scope, ToolFlags, ToolPin};
use turnkit_testkit::Reply;

use crate::running::Setup;

const SCHEMA: &str = r#"{"type":"object","properties":{"id":{"type":"integer"}}}"#;

/// Two MCP servers: `tickets`, which can be connected, and `files`, which cannot.
#[derive(Clone, Default)]
pub(crate) struct Servers {
    /// On whose behalf `tickets` was connected.
    connected: Arc<Mutex<Vec<Scope>>>,
    /// How often `tickets` has changed what it says about its tool.
    changes: Arc<AtomicU8>,
}

impl McpDirectory for Servers {
    fn servers(&self) -> Vec<McpStatus> {
        let info = McpInfo {
            protocol: "2025-11-25".to_owned(),
            server: Some("ticketing 1.4.0".to_owned()),
            list_age: Some(Duration::ZERO),
            tools: vec![McpToolStatus {
                name: "tickets__find".to_owned(),
                description: "Finds tickets.".to_owned(),
                parameters: RawJson::parse(SCHEMA).unwrap(),
                flags: ToolFlags::read_only(),
                fingerprint: Some([2 + self.changes.load(Ordering::SeqCst); 32]),
                changed: Some(Duration::ZERO),
            }],
            left_out: vec![LeftOutTool { name: "a b".to_owned(), why: "its name".to_owned() }],
        };
        let is_connected = !self.connected.lock().unwrap().is_empty();
        let tickets = McpStatus {
            name: "tickets".to_owned(),
            address: McpAddress::Url("https://tickets.example.com/mcp".to_owned()),
            connections: 1,
            owner: PinOwner::Everyone,
            state: if is_connected { McpState::Ready(info) } else { McpState::NotStarted },
        };
        let files = McpStatus {
            name: "files".to_owned(),
            address: McpAddress::Program("mcp-files".to_owned()),
            connections: 1,
            owner: PinOwner::Everyone,
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

#[tokio::test]
async fn an_operator_accepts_changed_tools_for_everyone() {
    let setup = Setup::always(Reply::text("Hello")).mcp_servers(Servers::default());
    let server = setup.in_memory().locked().run().await;
    let (bob, operator) = (server.user("bob").await, server.operator());
    let accept = "/api/v1/mcp/tickets/accept";
    let refused = bob.request("POST", accept).send().await;
    assert_eq!((refused.status, refused.code().as_str()), (403, "forbidden"));
    let unread = operator.request("POST", accept).send().await;
    assert_eq!((unread.status, unread.code().as_str()), (503, "unavailable"));
    let tool = async || operator.get("/api/v1/mcp").await.json()["data"][0]["tools"][0].clone();

    operator.request("POST", "/api/v1/mcp/tickets/reconnect").send().await;
    let find =
        |says| ToolPin { source: "tickets".to_owned(), tool: "tickets__find".to_owned(), fingerprint: [says; 32] };
    let (everyone, at) = (PinOwner::Everyone, server.clock.now());
    assert_eq!(tool().await["state"], "pinned", "no turn was offered another definition");
    server.store.pin(&everyone, vec![find(1)], at).await.unwrap();
    assert_eq!(server.store.pin(&everyone, vec![find(2)], at).await.unwrap(), ["tickets__find"]);
    let changed = tool().await;
    assert_eq!(
        changed,
        json!({
            "name": "tickets__find", "state": "changed", "changed_at": json!(at),
            "reason": "calls need approval until the new definition is accepted",
            "description": "Finds tickets.", "input_schema": serde_json::from_str::<Value>(SCHEMA).unwrap(),
            "effects": { "read_only": true, "idempotent": true, "destructive": false, "open_world": false },
            "fingerprint": "02".repeat(32),
        })
    );

    let unknown = operator.request("POST", accept).json(&json!({ "tools": ["tickets__find", "a b"] })).send().await;
    assert_eq!((unknown.status, unknown.field()), (422, "tools".to_owned()));
    assert_eq!(tool().await, changed);
    for (body, times) in [(Some(json!({ "tools": ["tickets__find"] })), 2), (None, 1)] {
        for _ in 0..times {
            let request = operator.request("POST", accept);
            let accepted = match &body {
                Some(body) => request.json(body).send().await,
                None => request.send().await,
            };
            assert_eq!(accepted.status, 200, "{}", accepted.body);
            assert_eq!(accepted.json()["tools"][0], json!({ "name": "tickets__find", "state": "pinned" }));
        }
        assert_eq!(server.store.unaccepted(&Scope::local(), vec![find(2)]).await.unwrap(), [""; 0]);
        server.store.accept_definitions(&everyone, vec![find(1)], at).await.unwrap();
        assert_eq!(tool().await["state"], "changed");
    }
    assert_eq!(operator.request("POST", "/api/v1/mcp/nonesuch/accept").send().await.status, 404);
}

#[tokio::test]
async fn only_the_definition_that_was_looked_at_is_accepted() {
    let servers = Servers::default();
    let setup = Setup::always(Reply::text("Hello")).mcp_servers(servers.clone());
    let server = setup.in_memory().locked().run().await;
    let operator = server.operator();
    let tool = async || operator.get("/api/v1/mcp").await.json()["data"][0]["tools"][0].clone();
    let accept = async |tools: Value| {
        operator.request("POST", "/api/v1/mcp/tickets/accept").json(&json!({ "tools": tools })).send().await
    };
    operator.request("POST", "/api/v1/mcp/tickets/reconnect").send().await;
    let first = ToolPin { source: "tickets".to_owned(), tool: "tickets__find".to_owned(), fingerprint: [1; 32] };
    server.store.pin(&PinOwner::Everyone, vec![first], server.clock.now()).await.unwrap();

    let seen = tool().await["fingerprint"].clone();
    servers.changes.fetch_add(1, Ordering::SeqCst);
    let find = |fingerprint: &Value| json!({ "name": "tickets__find", "fingerprint": fingerprint });
    let gone = json!({ "name": "tickets__close", "fingerprint": seen });
    for tools in [json!([find(&seen)]), json!(["tickets__find", find(&seen)]), json!(["tickets__find", gone])] {
        let refused = accept(tools.clone()).await;
        assert_eq!((refused.status, refused.code().as_str()), (409, "definition_changed"), "{tools}");
        assert_eq!(tool().await["state"], "changed", "{tools}");
    }
    for tools in [json!([5]), json!([["tickets__find", seen]]), json!([{ "name": "tickets__find" }])] {
        let refused = accept(tools.clone()).await;
        assert_eq!((refused.status, refused.field()), (422, "tools[0]".to_owned()), "{tools}");
    }
    let present = tool().await["fingerprint"].clone();
    assert_eq!(present, "03".repeat(32));
    for _ in ["changed", "accepted"] {
        let accepted = accept(json!([find(&present)])).await;
        assert_eq!(accepted.status, 200, "{}", accepted.body);
        assert_eq!(accepted.json()["tools"][0], json!({ "name": "tickets__find", "state": "pinned" }));
    }
}
