//! Reads requests from a socket.

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt};

use crate::transcript::Violation;

/// The maximum size of a request, in bytes.
const MAX_BYTES: usize = 32 * 1024 * 1024;
const MAX_HEADERS: usize = 64;

/// A request that the upstream received.
#[derive(Debug, Clone, PartialEq)]
pub struct Received {
    /// The HTTP method.
    pub method: String,
    /// The path, including the query.
    pub path: String,
    /// The headers in order, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// The rules that the transcript in the body breaks.
    pub violations: Vec<Violation>,
}

impl Received {
    /// Returns the first header with this name, which must be given in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns the body parsed as JSON, or null if it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

/// Reads the next request from `input`. `buffer` holds bytes that were read but not consumed. Returns `None` if the
/// client closed the connection or did not send a valid request.
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

/// Parses the head of the request in `buffer`, and returns it with its length and the length of the body. Returns
/// `Some(None)` while the head is incomplete.
#[expect(clippy::option_option, reason = "the outer one is for bytes that are not a request")]
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
