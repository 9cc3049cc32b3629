//! A proxy that cuts requests and answers.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::raw::read;

/// What a proxy does with the next call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Passes on this many bytes of the request, then closes the connections.
    Request(usize),
    /// Passes on the request and this many bytes of the answer, then closes the connections.
    Answer(usize),
    /// Answers with this status, without passing on the request.
    Status(u16),
}

/// A proxy in front of a server.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    cut: Arc<Mutex<Option<Cut>>>,
    /// The number of bytes of the last call, and of its answer.
    pub(crate) sizes: Arc<Mutex<(usize, usize)>>,
}

impl Proxy {
    /// Cuts the next call.
    pub(crate) fn cut(&self, cut: Cut) {
        *self.cut.lock().unwrap() = Some(cut);
    }
}

/// Starts a proxy in front of this server.
pub(crate) async fn proxy(server: SocketAddr) -> Proxy {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let proxy = Proxy { address: listener.local_addr().unwrap(), cut: Arc::default(), sizes: Arc::default() };
    let (cut, sizes) = (Arc::clone(&proxy.cut), Arc::clone(&proxy.sizes));
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let (cut, sizes) = (Arc::clone(&cut), Arc::clone(&sizes));
            tokio::spawn(async move {
                let Some((head, body)) = read(&mut socket).await else { return };
                let is_call = String::from_utf8_lossy(&body).contains("\"tools/call\"");
                // The server closes the connection after its answer, which is then complete.
                let head = head.replacen("\r\n", "\r\nconnection: close\r\n", 1);
                let request = [head.as_bytes(), &body].concat();
                let cut = if is_call { cut.lock().unwrap().take() } else { None };
                if !is_call {
                    return relay(&mut socket, server, &request).await;
                }
                if let Some(Cut::Status(status)) = cut {
                    let answer = format!("HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
                    _ = socket.write_all(answer.as_bytes()).await;
                    return;
                }
                let sent = if let Some(Cut::Request(length)) = cut { &request[..length] } else { &request[..] };
                let answer = exchange(server, sent, sent.len() == request.len()).await;
                *sizes.lock().unwrap() = (request.len(), answer.len());
                let shown = match cut {
                    Some(Cut::Request(_)) => &answer[..0],
                    Some(Cut::Answer(length)) => &answer[..length.min(answer.len())],
                    _ => &answer[..],
                };
                _ = socket.write_all(shown).await;
            });
        }
    });
    proxy
}

/// Starts a server that answers everything with this status.
pub(crate) async fn always(status: u16) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let answer = format!(
                "HTTP/1.1 {status} X\r\nlocation: http://localhost/\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
            );
            _ = read(&mut socket).await;
            _ = socket.write_all(answer.as_bytes()).await;
        }
    });
    address
}

/// Sends the bytes of a request, and returns the whole answer. A request that is cut ends with its connection.
async fn exchange(server: SocketAddr, request: &[u8], is_complete: bool) -> Vec<u8> {
    let mut upstream = TcpStream::connect(server).await.unwrap();
    _ = upstream.write_all(request).await;
    if !is_complete {
        _ = upstream.shutdown().await;
    }
    let mut answer = Vec::new();
    _ = upstream.read_to_end(&mut answer).await;
    answer
}

/// Passes on a request, and its answer as it arrives.
pub(crate) async fn relay(socket: &mut TcpStream, server: SocketAddr, request: &[u8]) {
    let mut upstream = TcpStream::connect(server).await.unwrap();
    _ = upstream.write_all(request).await;
    _ = tokio::io::copy(&mut upstream, socket).await;
}
