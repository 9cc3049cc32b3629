//! An HTTP client of a turnkit server, for tests that use the server from outside.
//!
//! ```no_run
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! use serde_json::json;
//! use turnkit_testkit::http::HttpClient;
//!
//! let client = HttpClient::new("127.0.0.1:8787");
//! let accepted = client.post("/api/v1/turns", &[], &json!({ "message": "Hello" })).await?;
//! let turn = accepted.json()["turn_id"].as_str().unwrap_or_default().to_owned();
//! let mut events = client.follow(&format!("/api/v1/turns/{turn}/events"), None).await?;
//! while let Some(frame) = events.next().await? {
//!     println!("{frame:?}");
//! }
//! # std::io::Result::Ok(()) }).unwrap();
//! ```

mod frame;

use std::collections::VecDeque;
use std::fmt::Display;
use std::io;

use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{RequestBuilder, Response};
use serde_json::Value;

pub use frame::{Frame, FrameReader};

/// Sends requests to one server. Each request uses a new connection, which closes when the response is dropped.
#[derive(Debug, Clone)]
pub struct HttpClient {
    http: reqwest::Client,
    base: String,
    key: Option<String>,
}

/// A complete response.
#[derive(Debug, Clone)]
pub struct HttpResponse {
    /// The status code.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

/// A response whose events are read as they arrive. A response without events, such as the one for a reader that has
/// all events, ends at once.
#[derive(Debug)]
pub struct EventStream {
    response: Response,
    reader: FrameReader,
    ready: VecDeque<Frame>,
}

impl HttpClient {
    /// Creates a client of the server at an address like `127.0.0.1:8787`.
    pub fn new(address: impl Display) -> Self {
        // Without the system's certificates, which take longer to load than most tests run.
        let http = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).tls_certs_only([]);
        let http = http.build().unwrap_or_default();
        Self { http, base: format!("http://{address}"), key: None }
    }

    /// Returns the same client with this API key.
    #[must_use]
    pub fn with_key(self, key: impl Into<String>) -> Self {
        Self { key: Some(key.into()), ..self }
    }

    /// Sends a `GET` request to `path`.
    ///
    /// # Errors
    /// The server cannot be reached, or the connection breaks.
    pub async fn get(&self, path: &str) -> io::Result<HttpResponse> {
        HttpResponse::read(self.send(self.http.get(self.url(path))).await?).await
    }

    /// Sends a `POST` request with a JSON body and these headers.
    ///
    /// # Errors
    /// The server cannot be reached, or the connection breaks.
    pub async fn post(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> io::Result<HttpResponse> {
        HttpResponse::read(self.send(self.posting(path, headers, body)).await?).await
    }

    /// Sends a `POST` request with a JSON body and these headers, and returns the stream of events.
    ///
    /// # Errors
    /// The server cannot be reached.
    pub async fn post_for_events(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> io::Result<EventStream> {
        let request = self.posting(path, headers, body).header(ACCEPT, "text/event-stream");
        self.send(request).await.map(EventStream::new)
    }

    /// Opens the stream of events at `path`, starting after the event whose id is `after`.
    ///
    /// # Errors
    /// The server cannot be reached.
    pub async fn follow(&self, path: &str, after: Option<&str>) -> io::Result<EventStream> {
        let mut request = self.http.get(self.url(path)).header(ACCEPT, "text/event-stream");
        if let Some(after) = after {
            request = request.header("last-event-id", after);
        }
        self.send(request).await.map(EventStream::new)
    }

    fn posting(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> RequestBuilder {
        let request = self.http.post(self.url(path)).header(CONTENT_TYPE, "application/json").body(body.to_string());
        headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    async fn send(&self, request: RequestBuilder) -> io::Result<Response> {
        let request = match &self.key {
            Some(key) => request.bearer_auth(key),
            None => request,
        };
        request.send().await.map_err(io::Error::other)
    }
}

impl HttpResponse {
    async fn read(response: Response) -> io::Result<Self> {
        let status = response.status().as_u16();
        let body = response.bytes().await.map_err(io::Error::other)?;
        Ok(Self { status, body: body.to_vec() })
    }

    /// Returns the body parsed as JSON, or null if it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

impl EventStream {
    fn new(response: Response) -> Self {
        Self { response, reader: FrameReader::default(), ready: VecDeque::new() }
    }

    /// Returns the status code.
    pub fn status(&self) -> u16 {
        self.response.status().as_u16()
    }

    /// Returns the header with this name, if its value is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.response.headers().get(name)?.to_str().ok()
    }

    /// Returns the next frame, or `None` at the end of the stream. Comments are skipped.
    ///
    /// # Errors
    /// The connection broke.
    pub async fn next(&mut self) -> io::Result<Option<Frame>> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Ok(Some(frame));
            }
            match self.response.chunk().await.map_err(io::Error::other)? {
                Some(bytes) => self.ready.extend(self.reader.push(&bytes)?),
                None => return Ok(None),
            }
        }
    }

    /// Reads all remaining frames.
    ///
    /// # Errors
    /// The connection broke.
    pub async fn rest(&mut self) -> io::Result<Vec<Frame>> {
        let mut frames = Vec::new();
        while let Some(frame) = self.next().await? {
            frames.push(frame);
        }
        Ok(frames)
    }
}
