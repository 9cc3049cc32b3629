//! Servers written by hand, which may answer anything.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// What a server does with a request.
pub(crate) enum Answer {
    /// Answers with this result.
    Result(Value),
    /// Answers with this body, of this type.
    Body(&'static str, Vec<u8>),
    /// Answers with this status and an error of the protocol: its id and its code. `None`: the id of the request.
    Error(u16, Option<Value>, i32),
    /// Answers with this status, and nothing else.
    Status(u16),
    /// Answers nothing, and keeps the connection open.
    Nothing,
}

/// A server of the protocol with sessions.
pub(crate) struct Raw {
    pub(crate) address: SocketAddr,
    /// The methods of the messages that it has received.
    pub(crate) methods: Arc<Mutex<Vec<String>>>,
}

impl Raw {
    /// Returns how many messages of this method it has received.
    pub(crate) fn count(&self, method: &str) -> usize {
        self.methods.lock().unwrap().iter().filter(|received| *received == method).count()
    }
}

/// Starts a server that answers requests after the handshake as `script` says.
pub(crate) async fn serve(script: impl Fn(&str, &Value) -> Answer + Send + Sync + 'static) -> Raw {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let raw = Raw { address: listener.local_addr().unwrap(), methods: Arc::default() };
    let (script, methods) = (Arc::new(script), Arc::clone(&raw.methods));
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let (script, methods) = (Arc::clone(&script), Arc::clone(&methods));
            tokio::spawn(async move {
                while let Some((head, body)) = read(&mut socket).await {
                    let message: Value = serde_json::from_slice(&body).unwrap_or_default();
                    let verb = head.split(' ').next().unwrap_or_default().to_owned();
                    let method = message["method"].as_str().map_or(verb, str::to_owned);
                    methods.lock().unwrap().push(method.clone());
                    let answer = handshake(&method, &message).unwrap_or_else(|| script(&method, &message));
                    if !write(&mut socket, &message, answer).await {
                        std::future::pending::<()>().await;
                    }
                }
            });
        }
    });
    raw
}

/// Returns a list of tools.
pub(crate) fn tools(tools: &Value) -> Answer {
    Answer::Result(json!({ "tools": tools }))
}

fn handshake(method: &str, message: &Value) -> Option<Answer> {
    let info = json!({ "name": "raw", "version": "1" });
    let capabilities = json!({ "tools": { "listChanged": true } });
    Some(match method {
        "initialize" => {
            Answer::Result(json!({ "protocolVersion": "2025-06-18", "capabilities": capabilities, "serverInfo": info }))
        }
        "server/discover" => Answer::Status(400),
        "GET" => Answer::Status(405),
        "DELETE" => Answer::Status(200),
        _ if message.get("id").is_none() => Answer::Status(202),
        _ => return None,
    })
}

/// Reads a request: its head and its body.
pub(crate) async fn read(socket: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        head.push(char::from(socket.read_u8().await.ok()?));
    }
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    socket.read_exact(&mut body).await.ok()?;
    Some((head, body))
}

/// Writes an answer. Returns `false` if there is none.
async fn write(socket: &mut TcpStream, message: &Value, answer: Answer) -> bool {
    let (status, kind, body) = match answer {
        Answer::Nothing => return false,
        Answer::Status(status) => (status, "text/plain", Vec::new()),
        Answer::Body(kind, body) => (200, kind, body),
        Answer::Error(status, id, code) => {
            let id = id.unwrap_or_else(|| message["id"].clone());
            let reply = json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": "gone" } });
            (status, "application/json", reply.to_string().into_bytes())
        }
        Answer::Result(result) => {
            let reply = json!({ "jsonrpc": "2.0", "id": message["id"], "result": result });
            (200, "application/json", reply.to_string().into_bytes())
        }
    };
    let length = body.len();
    let headers = format!("content-type: {kind}\r\nmcp-session-id: s1\r\ncontent-length: {length}");
    let head = format!("HTTP/1.1 {status} X\r\n{headers}\r\n\r\n");
    _ = socket.write_all(&[head.as_bytes(), &body].concat()).await;
    true
}
