//! A client that sends raw bytes, including malformed requests.

use std::net::SocketAddr;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A complete response.
#[derive(Debug, Default)]
pub(crate) struct Reply {
    /// 0 if the connection was closed without a response.
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    /// Returns the code of an error response, and checks that its body has the common form.
    pub(crate) fn code(&self) -> String {
        let body = self.json();
        if let Some(error) = body["error"].as_object() {
            let members: Vec<&str> = error.keys().map(String::as_str).filter(|name| *name != "details").collect();
            assert_eq!(members, ["code", "message", "param", "request_id", "retryable", "type"], "{body}");
        }
        body["error"]["code"].as_str().unwrap_or_default().to_owned()
    }
}

/// A raw connection.
pub(crate) struct Wire {
    stream: TcpStream,
    received: Vec<u8>,
}

impl Wire {
    pub(crate) async fn to(address: SocketAddr) -> Self {
        Self { stream: TcpStream::connect(address).await.unwrap(), received: Vec::new() }
    }

    /// Sends bytes. Returns `true` if the server received all of them.
    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) -> bool {
        self.stream.write_all(bytes.as_ref()).await.is_ok()
    }

    /// Returns the next response. A response without a length ends with the connection.
    pub(crate) async fn reply(&mut self) -> Reply {
        let mut reply = loop {
            if let Some((head, bytes)) = head(&self.received) {
                self.received.drain(..bytes);
                break head;
            }
            if !self.read().await {
                return Reply::default();
            }
        };
        let length = match reply.header("content-length") {
            _ if matches!(reply.status, 100 | 204 | 304) => 0,
            Some(length) => length.parse().unwrap(),
            None => usize::MAX,
        };
        while self.received.len() < length && self.read().await {}
        let body = self.received.drain(..length.min(self.received.len()));
        reply.body = String::from_utf8(body.collect()).unwrap();
        reply
    }

    /// Reads up to this text, and returns the text before it.
    pub(crate) async fn read_past(&mut self, text: &str) -> String {
        loop {
            let received = String::from_utf8_lossy(&self.received).into_owned();
            if let Some((before, _)) = received.split_once(text) {
                self.received.drain(..before.len() + text.len());
                return before.to_owned();
            }
            assert!(self.read().await, "the connection ended before {text:?}: {received:?}");
        }
    }

    /// Reads until the connection closes.
    pub(crate) async fn rest(&mut self) -> String {
        while self.read().await {}
        String::from_utf8_lossy(&std::mem::take(&mut self.received)).into_owned()
    }

    async fn read(&mut self) -> bool {
        self.stream.read_buf(&mut self.received).await.is_ok_and(|read| read > 0)
    }
}

/// Parses the head of a response and returns it with its length in bytes, once it is complete.
fn head(received: &[u8]) -> Option<(Reply, usize)> {
    let mut headers = [httparse::EMPTY_HEADER; 32];
    let mut response = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(length) = response.parse(received).unwrap() else { return None };
    let text =
        |header: &httparse::Header<'_>| (header.name.to_owned(), String::from_utf8(header.value.to_vec()).unwrap());
    let headers = response.headers.iter().map(text).collect();
    Some((Reply { status: response.code.unwrap(), headers, body: String::new() }, length))
}
