//! An HTTP server that serves texts and records its requests.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::support::response;

/// Responds to each request with the page at its path, or with `ok`. Stops when it is dropped.
pub(super) struct Site {
    pub(super) address: SocketAddr,
    seen: Arc<Mutex<SiteState>>,
    _server: JoinSet<()>,
}

#[derive(Default)]
struct SiteState {
    pages: HashMap<String, String>,
    connections: usize,
    requests: Vec<String>,
}

impl Site {
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::<Mutex<SiteState>>::default();
        let mut server = JoinSet::new();
        server.spawn(serve(listener, Arc::clone(&seen)));
        Self { address, seen, _server: server }
    }

    pub(super) fn port(&self) -> String {
        self.address.port().to_string()
    }

    /// Sets the whole response for a path.
    pub(super) fn put(&self, path: &str, response: String) {
        self.seen.lock().unwrap().pages.insert(format!("/{path}"), response);
    }

    /// Reports whether a request contained this text.
    pub(super) fn received(&self, text: &str) -> bool {
        self.seen.lock().unwrap().requests.iter().any(|request| request.contains(text))
    }

    /// Returns the number of connections before this call's own. Connections made earlier were accepted earlier.
    pub(super) async fn connections(&self) -> usize {
        let mut own = TcpStream::connect(self.address).await.unwrap();
        own.write_all(b"GET /own HTTP/1.1\r\n\r\n").await.unwrap();
        own.read_to_end(&mut Vec::new()).await.unwrap();
        let mut seen = self.seen.lock().unwrap();
        seen.connections -= 1;
        seen.connections
    }
}

async fn serve(listener: TcpListener, seen: Arc<Mutex<SiteState>>) {
    let mut answering = JoinSet::new();
    while let Ok((socket, _)) = listener.accept().await {
        seen.lock().unwrap().connections += 1;
        answering.spawn(answer(socket, Arc::clone(&seen)));
    }
}

async fn answer(mut socket: TcpStream, seen: Arc<Mutex<SiteState>>) {
    let Some(request) = read(&mut socket).await else { return };
    let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
    let page = {
        let mut seen = seen.lock().unwrap();
        seen.requests.push(request);
        seen.pages.get(&path).cloned()
    };
    // The client may have left.
    _ = socket.write_all(page.unwrap_or_else(|| response(200, "text/plain", "ok")).as_bytes()).await;
}

/// Reads a whole request with its body. Returns `None` if the connection ends before.
async fn read(socket: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return Some(text.into_owned());
            }
        }
        if socket.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}
