//! HTTP by hand: servers that see the whole request, and may answer anything.

use std::net::SocketAddr;
use std::sync::Arc;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// A request.
pub(super) struct Request {
    /// The first line and the headers.
    pub(super) head: String,
    pub(super) body: String,
}

/// A response.
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) media_type: &'static str,
    pub(super) body: String,
}

/// A server, which stops when it is dropped.
pub(super) struct HttpServer {
    pub(super) address: SocketAddr,
    _tasks: JoinSet<()>,
}

impl Request {
    pub(super) fn is_post_to(&self, path: &str) -> bool {
        self.head.starts_with(&format!("POST {path} "))
    }

    /// Returns the value of a header, whose name must be in lower case.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

impl Reply {
    pub(super) fn json(status: u16, body: &Value) -> Self {
        Self { status, media_type: "application/json", body: body.to_string() }
    }
}

impl HttpServer {
    /// Starts a server that answers each request, and then closes its connection.
    pub(super) async fn start(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, answer) = (listener.local_addr().unwrap(), Arc::new(answer));
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((mut socket, _)) = listener.accept().await {
                let answer = Arc::clone(&answer);
                connections.spawn(async move {
                    let Some(request) = read(&mut socket).await else { return };
                    let Reply { status, media_type, body } = answer(&request);
                    let head = format!("HTTP/1.1 {status} So\r\ncontent-type: {media_type}\r\nconnection: close\r\n");
                    let whole = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
                    // The client may have left.
                    _ = socket.write_all(whole.as_bytes()).await;
                });
            }
        });
        Self { address, _tasks: tasks }
    }
}

async fn read(socket: &mut TcpStream) -> Option<Request> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        head.push(char::from(socket.read_u8().await.ok()?));
    }
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    socket.read_exact(&mut body).await.ok()?;
    Some(Request { head, body: String::from_utf8_lossy(&body).into_owned() })
}

/// Posts a form, and returns the JSON of the response.
pub(super) async fn post_form(address: &str, path: &str, form: &str) -> Value {
    let mut socket = TcpStream::connect(address).await.unwrap();
    let headers = "connection: close\r\ncontent-type: application/x-www-form-urlencoded";
    let length = form.len();
    let request =
        format!("POST {path} HTTP/1.1\r\nhost: {address}\r\n{headers}\r\ncontent-length: {length}\r\n\r\n{form}");
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut response = String::new();
    socket.read_to_string(&mut response).await.unwrap();
    let (_, body) = response.split_once("\r\n\r\n").unwrap();
    serde_json::from_str(body).unwrap()
}
