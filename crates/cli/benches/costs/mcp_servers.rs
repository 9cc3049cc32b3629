//! MCP servers with many tools, in the process of this program and not in the counted one.

use std::error::Error;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// The number of tools of each server.
const TOOLS: usize = 50;

/// Servers that offer tools, which nothing calls. They stop when they are dropped.
pub(crate) struct McpServers {
    addresses: Vec<SocketAddr>,
    _tasks: JoinSet<()>,
}

impl McpServers {
    /// Starts this many servers.
    pub(crate) async fn start(count: usize) -> io::Result<Self> {
        let (mut addresses, mut tasks) = (Vec::new(), JoinSet::new());
        for _ in 0..count {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
            addresses.push(listener.local_addr()?);
            tasks.spawn(accept(listener));
        }
        Ok(Self { addresses, _tasks: tasks })
    }

    /// Reports whether there are no servers.
    pub(crate) fn is_empty(&self) -> bool {
        self.addresses.is_empty()
    }

    /// Returns the names of the servers.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        (0..self.addresses.len()).map(|number| format!("desk-{number}"))
    }

    /// Returns the sections of the configuration that name the servers, whose tools are deferred.
    pub(crate) fn sections(&self) -> String {
        let section = |(name, address): (String, &SocketAddr)| {
            format!("[[mcp]]\nname = \"{name}\"\nurl = \"http://{address}/mcp\"\ndefer = true\n\n")
        };
        self.names().zip(&self.addresses).map(section).collect()
    }

    /// Returns the patterns that an agent lists to have all tools, each after a comma.
    pub(crate) fn patterns(&self) -> String {
        self.names().map(|name| format!(", \"{name}__*\"")).collect()
    }
}

async fn accept(listener: TcpListener) {
    let mut connections = JoinSet::new();
    while let Ok((socket, _)) = listener.accept().await {
        connections.spawn(async move {
            // The end of a connection is no failure.
            _ = serve(socket).await;
        });
    }
}

/// Answers requests until the client closes the connection.
async fn serve(mut socket: TcpStream) -> Result<(), Box<dyn Error + Send + Sync>> {
    socket.set_nodelay(true)?;
    loop {
        let (verb, body) = read(&mut socket).await?;
        let message: Value = serde_json::from_slice(&body).unwrap_or_default();
        let (status, body) = match (verb.as_str(), message["method"].as_str()) {
            ("POST", Some("initialize")) => (200, reply(&message, &handshake())),
            ("POST", Some("tools/list")) => (200, reply(&message, &json!({ "tools": tools() }))),
            // As servers of an older protocol do, which have no streams of their own either.
            ("POST", Some("server/discover")) => (400, String::new()),
            ("POST", _) => (202, String::new()),
            _ => (405, String::new()),
        };
        let head = format!("HTTP/1.1 {status} So\r\ncontent-type: application/json\r\ncontent-length: {}", body.len());
        socket.write_all(format!("{head}\r\n\r\n{body}").as_bytes()).await?;
    }
}

/// Reads a request. Returns its method and its body.
async fn read(socket: &mut TcpStream) -> Result<(String, Vec<u8>), Box<dyn Error + Send + Sync>> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        head.push(char::from(socket.read_u8().await?));
    }
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(Ok(0), str::parse)?];
    socket.read_exact(&mut body).await?;
    Ok((head.split(' ').next().unwrap_or_default().to_owned(), body))
}

fn reply(message: &Value, result: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }).to_string()
}

fn handshake() -> Value {
    let info = json!({ "name": "desk", "version": "1" });
    json!({ "protocolVersion": "2025-06-18", "capabilities": { "tools": {} }, "serverInfo": info })
}

fn tools() -> Vec<Value> {
    let schema = json!({
        "type": "object",
        "properties": {
            "id": { "type": "integer", "description": "The number of the ticket" },
            "note": { "type": "string", "description": "A note for the customer" },
        },
        "required": ["id"],
    });
    let tool = |number: usize| {
        let description = format!("Step {number} of the work on a ticket, with a note for the customer who opened it.");
        json!({ "name": format!("step_{number}"), "description": description, "inputSchema": schema })
    };
    (0..TOOLS).map(tool).collect()
}
