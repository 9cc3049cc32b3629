//! A client of a turnkit server, for tests that look at it from outside.
//!
//! ```no_run
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! use serde_json::json;
//! use turnkit_testkit::http::HttpClient;
//!
//! let client = HttpClient::of("127.0.0.1:8787");
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

/// Sends requests to one server, each over a connection of its own, which closes when the answer is dropped.
#[derive(Debug, Clone)]
pub struct HttpClient {
    http: reqwest::Client,
    base: String,
    key: Option<String>,
}

/// A whole answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Its status code.
    pub status: u16,
    /// Its body.
    pub body: Vec<u8>,
}

/// An answer that is read as it comes. One without events, like that to a reader who has everything, is at its end.
#[derive(Debug)]
pub struct EventStream {
    response: Response,
    reader: FrameReader,
    ready: VecDeque<Frame>,
}

impl HttpClient {
    /// A client of the server at an address like `127.0.0.1:8787`.
    pub fn of(address: impl Display) -> Self {
        // Without the system's certificates, which take longer to read than most tests.
        let http = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).tls_certs_only([]);
        let http = http.build().unwrap_or_default();
        Self { http, base: format!("http://{address}"), key: None }
    }

    /// The same client with this key.
    #[must_use]
    pub fn with_key(self, key: impl Into<String>) -> Self {
        Self { key: Some(key.into()), ..self }
    }

    /// Asks for what is at `path`.
    ///
    /// # Errors
    /// The server cannot be reached, or breaks off.
    pub async fn get(&self, path: &str) -> io::Result<Answer> {
        Answer::of(self.send(self.http.get(self.url(path))).await?).await
    }

    /// Posts JSON with these headers.
    ///
    /// # Errors
    /// The server cannot be reached, or breaks off.
    pub async fn post(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> io::Result<Answer> {
        Answer::of(self.send(self.posting(path, headers, body)).await?).await
    }

    /// Posts JSON with these headers, and reads events as they come.
    ///
    /// # Errors
    /// The server cannot be reached.
    pub async fn post_for_events(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> io::Result<EventStream> {
        let request = self.posting(path, headers, body).header(ACCEPT, "text/event-stream");
        self.send(request).await.map(EventStream::of)
    }

    /// Reads the events at `path` as they come, after the one whose id is `after`.
    ///
    /// # Errors
    /// The server cannot be reached.
    pub async fn follow(&self, path: &str, after: Option<&str>) -> io::Result<EventStream> {
        let mut request = self.http.get(self.url(path)).header(ACCEPT, "text/event-stream");
        if let Some(after) = after {
            request = request.header("last-event-id", after);
        }
        self.send(request).await.map(EventStream::of)
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

impl Answer {
    async fn of(response: Response) -> io::Result<Self> {
        let status = response.status().as_u16();
        let body = response.bytes().await.map_err(io::Error::other)?;
        Ok(Self { status, body: body.to_vec() })
    }

    /// The body as JSON; null if it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

impl EventStream {
    fn of(response: Response) -> Self {
        Self { response, reader: FrameReader::default(), ready: VecDeque::new() }
    }

    /// The status code.
    pub fn status(&self) -> u16 {
        self.response.status().as_u16()
    }

    /// The header of this name, if it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.response.headers().get(name)?.to_str().ok()
    }

    /// The next frame; `None` at the end. Comments are passed over.
    ///
    /// # Errors
    /// The server broke off.
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

    /// All frames up to the end.
    ///
    /// # Errors
    /// The server broke off.
    pub async fn rest(&mut self) -> io::Result<Vec<Frame>> {
        let mut frames = Vec::new();
        while let Some(frame) = self.next().await? {
            frames.push(frame);
        }
        Ok(frames)
    }
}
