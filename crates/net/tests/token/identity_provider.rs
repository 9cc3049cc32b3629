//! An identity provider on this machine, whose answers a test writes byte by byte.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// A server that answers `POST /token` with the next reply, or with a new token that lives for 600 seconds. Dropping it
/// closes its port.
pub(crate) struct IdentityProvider {
    address: String,
    shared: Arc<Shared>,
    _server: JoinSet<()>,
}

#[derive(Default)]
struct Shared {
    requests: Mutex<Vec<Request>>,
    replies: Mutex<VecDeque<Reply>>,
    /// Replies to requests for other paths.
    pages: Mutex<HashMap<String, Reply>>,
    /// The number of requests without a complete reply.
    open: AtomicUsize,
}

/// A request as it was sent.
#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) head: String,
    pub(crate) body: String,
}

#[derive(Clone)]
pub(crate) enum Reply {
    /// These bytes, then the end of the connection.
    Bytes(Vec<u8>),
    /// Nothing, until the client closes the connection.
    Silence,
    /// A body whose chunks end when the client closes the connection.
    Endless,
}

impl Reply {
    pub(crate) fn json(status: u16, body: impl AsRef<str>) -> Self {
        Self::with(status, "content-type: application/json\r\n", body.as_ref())
    }

    /// A reply with further headers, each with its line break.
    pub(crate) fn with(status: u16, headers: &str, body: &str) -> Self {
        let head = format!("HTTP/1.1 {status} Status\r\n{headers}content-length: {}\r\n", body.len());
        Self::Bytes(format!("{head}connection: close\r\n\r\n{body}").into_bytes())
    }

    /// A reply with a token, whose life is JSON.
    pub(crate) fn token(text: &str, expires_in: &str) -> Self {
        Self::json(200, format!(r#"{{"access_token":"{text}","token_type":"Bearer","expires_in":{expires_in}}}"#))
    }

    pub(crate) fn error(status: u16, code: &str) -> Self {
        Self::json(status, format!(r#"{{"error":"{code}","error_description":"because"}}"#))
    }
}

impl IdentityProvider {
    pub(crate) async fn start(replies: impl IntoIterator<Item = Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let shared = Arc::new(Shared::default());
        shared.replies.lock().unwrap().extend(replies);
        let mut server = JoinSet::new();
        server.spawn(serve(listener, Arc::clone(&shared)));
        Self { address, shared, _server: server }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Adds replies to the next token requests.
    pub(crate) fn push(&self, replies: impl IntoIterator<Item = Reply>) {
        self.shared.replies.lock().unwrap().extend(replies);
    }

    /// Sets the reply to all requests for a path.
    pub(crate) fn page(&self, path: &str, reply: Reply) {
        self.shared.pages.lock().unwrap().insert(path.to_owned(), reply);
    }

    /// Returns all requests so far.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.shared.requests.lock().unwrap().clone()
    }

    /// Reports whether all requests have been answered, or given up by the client.
    pub(crate) fn is_idle(&self) -> bool {
        self.shared.open.load(Ordering::SeqCst) == 0
    }

    /// Returns the paths of all requests so far.
    pub(crate) fn paths(&self) -> Vec<String> {
        self.requests().iter().map(|request| request.path().to_owned()).collect()
    }
}

impl Request {
    /// Returns the value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    fn path(&self) -> &str {
        self.head.split(' ').nth(1).unwrap()
    }
}

async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    loop {
        let (socket, _) = listener.accept().await.unwrap();
        connections.spawn(answer(socket, Arc::clone(&shared)));
    }
}

async fn answer(mut socket: TcpStream, shared: Arc<Shared>) {
    let Some(request) = read(&mut socket).await else { return };
    shared.open.fetch_add(1, Ordering::SeqCst);
    let reply = shared.reply(request);
    // The client may close the connection whenever it has read enough.
    let _ = match reply {
        Reply::Bytes(bytes) => socket.write_all(&bytes).await,
        Reply::Silence => socket.read(&mut [0]).await.map(|_| ()),
        Reply::Endless => write_endlessly(&mut socket).await,
    };
    shared.open.fetch_sub(1, Ordering::SeqCst);
}

async fn write_endlessly(socket: &mut TcpStream) -> std::io::Result<()> {
    socket.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").await?;
    loop {
        socket.write_all(b"8\r\n        \r\n").await?;
    }
}

async fn read(socket: &mut TcpStream) -> Option<Request> {
    let mut seen = Vec::new();
    loop {
        if let Some(request) = whole(&seen) {
            return Some(request);
        }
        if socket.read_buf(&mut seen).await.ok()? == 0 {
            return None;
        }
    }
}

/// Returns the request in these bytes, if it is complete.
fn whole(seen: &[u8]) -> Option<Request> {
    let (head, body) = std::str::from_utf8(seen).unwrap().split_once("\r\n\r\n")?;
    let request = Request { head: head.to_owned(), body: body.to_owned() };
    let length = request.header("content-length").map_or(0, |length| length.parse().unwrap());
    (body.len() >= length).then_some(request)
}

impl Shared {
    fn reply(&self, request: Request) -> Reply {
        let page = self.pages.lock().unwrap().get(request.path()).cloned();
        let is_token = request.path() == "/token";
        let number = {
            let mut requests = self.requests.lock().unwrap();
            requests.push(request);
            requests.len()
        };
        match page {
            Some(page) => page,
            None if is_token => {
                let next = self.replies.lock().unwrap().pop_front();
                next.unwrap_or_else(|| Reply::token(&format!("token-{number}"), "600"))
            }
            None => Reply::error(404, "not_found"),
        }
    }
}
