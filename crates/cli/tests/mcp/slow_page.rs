//! A page that never arrives.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// A web server whose pages never arrive. It has no rules for robots, which `mcp-server-fetch` asks for first.
pub(crate) struct SlowPage {
    listener: TcpListener,
}

impl SlowPage {
    pub(crate) async fn start() -> Self {
        Self { listener: TcpListener::bind("127.0.0.1:0").await.unwrap() }
    }

    /// Returns the arguments of the call that fetches the page.
    pub(crate) fn arguments(&self) -> String {
        let address: SocketAddr = self.listener.local_addr().unwrap();
        format!("{{\"url\":\"http://{address}/page\"}}")
    }

    /// Waits until the page is requested. Returns the connection of the request.
    pub(crate) async fn requested(&self) -> TcpStream {
        loop {
            let (mut connection, _) = self.listener.accept().await.unwrap();
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                match connection.read_u8().await {
                    Ok(byte) => head.push(byte),
                    Err(_) => break,
                }
            }
            if head.starts_with(b"GET /page ") {
                return connection;
            }
            let response = b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
            // Fails if the client has closed the connection, which is then none for the page.
            _ = connection.write_all(response).await;
        }
    }
}

/// Waits until the client has closed its connection.
pub(crate) async fn closed(mut connection: TcpStream) {
    let mut rest = [0; 64];
    // A connection that was reset is closed as well.
    while connection.read(&mut rest).await.is_ok_and(|count| count > 0) {}
}
