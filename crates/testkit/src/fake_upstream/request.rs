//! Reading a request from a socket.

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt};

use crate::transcript::Violation;

/// The largest request, in bytes.
const MAX_BYTES: usize = 32 * 1024 * 1024;
const MAX_HEADERS: usize = 64;

/// A request the upstream received.
#[derive(Debug, Clone, PartialEq)]
pub struct Received {
    /// Its method.
    pub method: String,
    /// Its path, with the query.
    pub path: String,
    /// Its headers, names in lower case, in order.
    pub headers: Vec<(String, String)>,
    /// Its body.
    pub body: Vec<u8>,
    /// What is wrong with its transcript.
    pub violations: Vec<Violation>,
}

impl Received {
    /// The first header of this name, given in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON; null if it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

/// The next request from `input`. `buffer` holds what was read and not used. `None`: the client left, or what it sent is
/// no request.
pub(super) async fn read(input: &mut (impl AsyncRead + Unpin), buffer: &mut Vec<u8>) -> Option<Received> {
    loop {
        if let Some((mut received, head, body)) = parse_head(buffer)? {
            while buffer.len() < head + body {
                fill(input, buffer).await?;
            }
            received.body = buffer.drain(..head + body).skip(head).collect();
            return Some(received);
        }
        fill(input, buffer).await?;
    }
}

async fn fill(input: &mut (impl AsyncRead + Unpin), buffer: &mut Vec<u8>) -> Option<()> {
    let count = input.read_buf(buffer).await.ok()?;
    (count > 0 && buffer.len() <= MAX_BYTES).then_some(())
}

/// The head of the request in `buffer`, with its length and that of the body; inside `None` as long as it is not whole.
#[expect(clippy::option_option, reason = "the outer one is for bytes that are no request")]
fn parse_head(buffer: &[u8]) -> Option<Option<(Received, usize, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let httparse::Status::Complete(head) = request.parse(buffer).ok()? else { return Some(None) };
    let headers: Vec<_> = request
        .headers
        .iter()
        .map(|header| (header.name.to_lowercase(), String::from_utf8_lossy(header.value).into_owned()))
        .collect();
    let received = Received {
        method: request.method?.to_owned(),
        path: request.path?.to_owned(),
        headers,
        body: Vec::new(),
        violations: Vec::new(),
    };
    let body = received.header("content-length").map_or(Some(0), |length| length.parse().ok())?;
    Some(Some((received, head, body)))
}
