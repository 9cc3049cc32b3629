//! Tests of the Model Context Protocol over HTTP.

mod calls;
mod cancelling;
mod library;
mod pipe;
mod protocol;
mod questions;

use serde_json::{Value, json};

use crate::client::{Client, Events, Reply, Request};

const PATH: &str = "/mcp";
const STATELESS: &str = "2026-07-28";

/// A client of the protocol.
struct Peer {
    client: Client,
    kind: Kind,
}

/// How a client speaks the protocol.
#[derive(Debug, Clone, PartialEq)]
enum Kind {
    /// It sent `initialize`, and repeats the connection that the server named.
    Initialized { connection: String },
    /// It names its revision and its abilities in each request.
    Stateless { capabilities: Value },
}

impl Peer {
    /// Initializes a client of an earlier revision.
    async fn initialized(client: &Client) -> Self {
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {} });
        let body = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
        let reply = accepting(client.request("POST", PATH).json(&body)).send().await;
        assert_eq!(reply.status, 200, "{}", reply.body);
        let connection = reply.header("mcp-session-id").to_owned();
        Self { client: client.clone(), kind: Kind::Initialized { connection } }
    }

    /// Creates a client of the stateless revision.
    fn stateless(client: &Client) -> Self {
        Self { client: client.clone(), kind: Kind::Stateless { capabilities: json!({}) } }
    }

    /// Creates a client of the stateless revision that shows forms to its user.
    fn eliciting(client: &Client) -> Self {
        Self { client: client.clone(), kind: Kind::Stateless { capabilities: json!({ "elicitation": {} }) } }
    }

    /// Returns the message of a request.
    fn body(&self, id: impl Into<Value>, method: &str, mut params: Value) -> Value {
        if let Kind::Stateless { capabilities } = &self.kind {
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(STATELESS);
            params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities.clone();
        }
        json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params })
    }

    /// Returns a request with the headers that belong to its body.
    fn request(&self, body: &Value) -> Request {
        let request = self.client.request("POST", PATH).json(body);
        match &self.kind {
            Kind::Initialized { connection } => {
                request.header("mcp-protocol-version", "2025-11-25").header("mcp-session-id", connection)
            }
            Kind::Stateless { .. } => {
                let name = body["params"]["name"].as_str();
                let request = request.header("mcp-protocol-version", STATELESS);
                let request = request.header("mcp-method", body["method"].as_str().unwrap());
                name.into_iter().fold(request, |request, name| request.header("mcp-name", name))
            }
        }
    }

    /// Sends a request that is answered with JSON.
    async fn ask(&self, method: &str, params: Value) -> Reply {
        accepting(self.request(&self.body(1, method, params))).send().await
    }

    /// Begins a call.
    async fn begin(&self, id: impl Into<Value>, params: Value) -> Events {
        let request = self.request(&self.body(id, "tools/call", params)).header("accept", "application/json");
        let events = request.events().await;
        assert_eq!((events.status, events.header("content-type")), (200, "text/event-stream"));
        events
    }

    /// Calls a tool. Returns the result.
    async fn call(&self, id: impl Into<Value>, params: Value) -> Value {
        let mut messages = messages(&mut self.begin(id, params).await).await;
        let response = messages.pop().unwrap();
        assert_eq!(messages, [Value::Null; 0]);
        assert!(response["result"].is_object(), "{response}");
        response["result"].clone()
    }
}

/// Returns the request with the header that each message has.
fn accepting(request: Request) -> Request {
    request.header("accept", "application/json, text/event-stream")
}

/// Returns all messages of a stream.
async fn messages(events: &mut Events) -> Vec<Value> {
    events.rest().await.iter().map(|frame| frame.json()).collect()
}

/// Returns the parameters of a call of the first agent.
fn say(message: &str) -> Value {
    json!({ "name": "assistant", "arguments": { "message": message } })
}

/// Returns the text of a result.
fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{result}"))
}

/// Returns the JSON-RPC code of a response that is an error.
fn code(reply: &Reply) -> Option<i64> {
    reply.json()["error"]["code"].as_i64()
}

/// Returns how the turn of a call ended, once it has.
async fn end_of(client: &Client, turn: &str) -> Value {
    let frames = client.follow(&format!("/api/v1/turns/{turn}/events"), None).await.rest().await;
    frames.last().unwrap().json()["status"].clone()
}

/// Returns the number of turns of the client's user.
async fn turns(client: &Client) -> usize {
    client.get("/api/v1/turns").await.json()["data"].as_array().unwrap().len()
}
