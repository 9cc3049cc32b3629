//! Tests of the messages themselves.

use serde_json::{Value, json};
use turnkit_testkit::Reply;

use super::{PATH, Peer, STATELESS, accepting, code, say};
use crate::client::Client;
use crate::running::{Running, Setup};

async fn server() -> Running {
    Setup::always(Reply::text("Hello there")).run().await
}

async fn post(client: &Client, body: &str) -> crate::client::Reply {
    accepting(client.request("POST", PATH).body(body)).send().await
}

#[tokio::test]
async fn a_handshake_selects_a_revision_and_names_a_connection() {
    let server = server().await;
    for (requested, answered) in
        [("2024-11-05", "2024-11-05"), ("2025-06-18", "2025-06-18"), (STATELESS, "2025-11-25"), ("1", "2025-11-25")]
    {
        let params = json!({ "protocolVersion": requested, "capabilities": {} });
        let body = json!({ "jsonrpc": "2.0", "id": "a", "method": "initialize", "params": params });
        let reply = post(&server.client, &body.to_string()).await;
        assert_eq!((reply.status, reply.header("content-type")), (200, "application/json"), "{}", reply.body);
        let (message, connection) = (reply.json(), reply.header("mcp-session-id"));
        assert_eq!((&message["id"], &message["result"]["protocolVersion"]), (&json!("a"), &json!(answered)));
        assert_eq!(message["result"]["serverInfo"]["name"], "turnkit");
        assert!(message["result"]["capabilities"]["tools"].is_object());
        assert_eq!(connection.len(), 36, "{connection}");
    }
    let notified = post(&server.client, r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    assert_eq!((notified.status, notified.body.as_str()), (202, ""));
}

#[tokio::test]
async fn a_client_without_a_handshake_discovers_the_server() {
    let server = server().await;
    let reply = Peer::stateless(&server.client).ask("server/discover", json!({})).await;
    let result = &reply.json()["result"];
    assert_eq!(result["supportedVersions"][0], STATELESS, "{}", reply.body);
    assert_eq!((&result["resultType"], &result["cacheScope"]), (&json!("complete"), &json!("private")));
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "turnkit");
    assert_eq!(reply.header("mcp-session-id"), "");
}

#[tokio::test]
async fn each_agent_is_a_tool() {
    let server = server().await;
    for peer in [Peer::initialized(&server.client).await, Peer::stateless(&server.client)] {
        let reply = peer.ask("tools/list", json!({})).await;
        let tools = reply.json()["result"]["tools"].clone();
        let names: Vec<&Value> = tools.as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
        assert_eq!(names, ["assistant", "translator"], "{}", reply.body);
        assert_eq!(tools[0]["inputSchema"]["required"], json!(["message"]));
        assert_eq!(tools[0]["outputSchema"]["required"], json!(["session", "turn", "status", "text"]));
        assert_eq!(tools[0]["annotations"]["readOnlyHint"], false);
    }
}

#[tokio::test]
async fn messages_are_posted() {
    let server = server().await;
    for method in ["GET", "DELETE", "PUT"] {
        let refused = server.client.request(method, PATH).header("accept", "text/event-stream").send().await;
        assert_eq!((refused.status, refused.code().as_str()), (405, "method_not_allowed"), "{method}");
    }
}

#[tokio::test]
async fn a_request_passes_the_guards_of_every_route() {
    let server = Setup::always(Reply::text("Hello there")).locked().run().await;
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }).to_string();
    let unknown = post(&server.client, &body).await;
    assert_eq!((unknown.status, unknown.code().as_str()), (401, "unauthenticated"));
    assert!(unknown.header("www-authenticate").starts_with("Bearer"), "{:?}", unknown.headers);
    let ada = server.user("ada").await;
    assert_eq!(post(&ada, &body).await.status, 200);

    let text = accepting(ada.request("POST", PATH).body(body.clone())).header("content-type", "text/plain");
    assert_eq!(text.send().await.status, 415);
    let large = format!("{body}{}", " ".repeat(4 << 20));
    assert_eq!(post(&ada, &large).await.status, 413);
    for accept in ["application/json", "text/event-stream", "*/*"] {
        let refused = ada.request("POST", PATH).body(body.clone()).header("accept", accept).send().await;
        assert_eq!((refused.status, refused.field().as_str()), (406, "accept"), "{accept}");
    }
}

#[tokio::test]
async fn a_message_that_cannot_be_handled_is_answered_with_an_error_of_the_protocol() {
    let server = server().await;
    let client = &server.client;
    for (body, status, expected) in [
        ("{", 400, -32700),
        ("[]", 400, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, 400, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, 200, -32601),
        (r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#, 200, -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#, 400, -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, 200, -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nobody"}}"#, 200, -32602),
    ] {
        let refused = post(client, body).await;
        assert_eq!((refused.status, code(&refused)), (status, Some(expected)), "{body}: {}", refused.body);
    }
    let peer = Peer::stateless(client);
    for method in ["resources/list", "initialize", "ping"] {
        let refused = peer.ask(method, json!({ "protocolVersion": "2025-11-25" })).await;
        assert_eq!((refused.status, code(&refused)), (404, Some(-32601)), "{method}: {}", refused.body);
        assert_eq!(refused.header("mcp-session-id"), "", "{method}");
    }
    let pinged = Peer::initialized(client).await.ask("ping", json!({})).await;
    assert_eq!((pinged.status, &pinged.json()["result"]), (200, &json!({})));

    // Headers that contradict the body.
    let body = peer.body(1, "tools/call", say("Hello"));
    for (name, value) in
        [("mcp-method", "tools/list"), ("mcp-name", "translator"), ("mcp-protocol-version", "2025-11-25")]
    {
        let refused = accepting(peer.request(&body)).header(name, value).send().await;
        assert_eq!((refused.status, code(&refused)), (400, Some(-32020)), "{name}: {}", refused.body);
    }
    let mut later = body.clone();
    later["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2027-01-01");
    let refused = accepting(peer.request(&later)).send().await;
    assert_eq!((refused.status, code(&refused)), (400, Some(-32020)), "{}", refused.body);
    let refused = accepting(client.request("POST", PATH).json(&later)).header("mcp-protocol-version", "2027-01-01");
    let refused = refused.send().await;
    assert_eq!((refused.status, code(&refused)), (400, Some(-32022)), "{}", refused.body);
    assert_eq!(refused.json()["error"]["data"]["supported"][0], STATELESS);
    assert_eq!(super::turns(client).await, 0);
}
