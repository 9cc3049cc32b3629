//! An MCP server that says what a test puts into it.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// A server with the tool `tell`, which returns what was put for its topic. Stops when it is dropped.
pub(super) struct ToolServer {
    pub(super) address: SocketAddr,
    state: Arc<Mutex<ServerState>>,
    _server: JoinSet<()>,
}

#[derive(Default)]
struct ServerState {
    instructions: String,
    tools: Vec<Value>,
    /// The responses to calls by their topics: a result or an error.
    responses: HashMap<String, Value>,
    /// The results by topics that ask a person before there is a response.
    questions: HashMap<String, Value>,
    /// The methods of all requests.
    methods: Vec<String>,
}

impl ToolServer {
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let topic = json!({ "type": "object", "properties": { "topic": { "type": "string" } }, "required": ["topic"] });
        let tell = json!({ "name": "tell", "description": "Tells the news.", "inputSchema": topic });
        let state = Arc::new(Mutex::new(ServerState { tools: vec![tell], ..ServerState::default() }));
        let mut server = JoinSet::new();
        server.spawn(serve(listener, Arc::clone(&state)));
        Self { address, state, _server: server }
    }

    /// Sets the response to calls about a topic.
    pub(super) fn put(&self, topic: &str, response: Value) {
        self.state.lock().unwrap().responses.insert(topic.to_owned(), response);
    }

    /// Has calls about a topic ask a person this question first.
    pub(super) fn ask(&self, topic: &str, question: &str) {
        let schema = json!({ "type": "object", "properties": { "answer": { "type": "string" } } });
        let params = json!({ "mode": "form", "message": question, "requestedSchema": schema });
        let requests = json!({ "ask": { "method": "elicitation/create", "params": params } });
        let result = json!({ "resultType": "input_required", "inputRequests": requests, "requestState": "s" });
        self.state.lock().unwrap().questions.insert(topic.to_owned(), result);
    }

    /// Sets what the server says about itself.
    pub(super) fn instruct(&self, instructions: &str) {
        instructions.clone_into(&mut self.state.lock().unwrap().instructions);
    }

    /// Lists a tool, in place of an earlier one of the same name.
    pub(super) fn list(&self, tool: Value) {
        let mut state = self.state.lock().unwrap();
        state.tools.retain(|known| known["name"] != tool["name"]);
        state.tools.push(tool);
    }

    /// Returns the methods of all requests so far.
    pub(super) fn methods(&self) -> Vec<String> {
        self.state.lock().unwrap().methods.clone()
    }
}

async fn serve(listener: TcpListener, state: Arc<Mutex<ServerState>>) {
    let mut answering = JoinSet::new();
    while let Ok((socket, _)) = listener.accept().await {
        answering.spawn(answer(socket, Arc::clone(&state)));
    }
}

async fn answer(mut socket: TcpStream, state: Arc<Mutex<ServerState>>) {
    while let Some((verb, body)) = read(&mut socket).await {
        let message: Value = serde_json::from_slice(&body).unwrap_or_default();
        let (status, body) = state.lock().unwrap().respond(&verb, &message);
        let content_type = if body.is_empty() { "text/plain" } else { "application/json" };
        let length = body.len();
        let headers = format!("content-type: {content_type}\r\nmcp-session-id: s1\r\ncontent-length: {length}");
        let response = format!("HTTP/1.1 {status} So\r\n{headers}\r\n\r\n{body}");
        if socket.write_all(response.as_bytes()).await.is_err() {
            return;
        }
    }
}

/// Reads a request: its verb and its body. Returns `None` if the connection ends before.
async fn read(socket: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        head.push(char::from(socket.read_u8().await.ok()?));
    }
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    socket.read_exact(&mut body).await.ok()?;
    let verb = head.split(' ').next().unwrap_or_default();
    Some((verb.to_owned(), body))
}

impl ServerState {
    /// Returns the status and the body of a response.
    fn respond(&mut self, verb: &str, message: &Value) -> (u16, String) {
        let method = message["method"].as_str().unwrap_or_default();
        self.methods.push(method.to_owned());
        let mut reply = match (verb, method) {
            ("GET", _) => return (405, String::new()),
            ("DELETE", _) => return (200, String::new()),
            // The server knows an older protocol only.
            (_, "server/discover") => return (400, String::new()),
            _ if message.get("id").is_none() => return (202, String::new()),
            (_, "initialize") => {
                let capabilities = json!({ "tools": {}, "prompts": {}, "resources": {} });
                let info = json!({ "name": "desk", "version": "1", "title": self.instructions });
                json!({ "result": {
                    "protocolVersion": "2025-06-18",
                    "capabilities": capabilities,
                    "serverInfo": info,
                    "instructions": self.instructions,
                } })
            }
            (_, "tools/list") => json!({ "result": { "tools": self.tools } }),
            (_, "tools/call") => self.response_to(&message["params"]),
            _ => json!({ "error": { "code": -32_601, "message": "there is no such method" } }),
        };
        reply["jsonrpc"] = json!("2.0");
        reply["id"] = message["id"].clone();
        (200, reply.to_string())
    }

    fn response_to(&self, call: &Value) -> Value {
        let topic = call["arguments"]["topic"].as_str().unwrap_or_default();
        match self.questions.get(topic).filter(|_| call["inputResponses"].is_null()) {
            Some(question) => json!({ "result": question }),
            None => self.responses.get(topic).cloned().unwrap_or_else(|| json!({ "result": { "content": [] } })),
        }
    }
}
