//! An HTTP client that exposes responses exactly as received.

use std::net::SocketAddr;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap};
use reqwest::{Method, Response};
use serde_json::{Value, json};
use turnkit_testkit::http::{Frame, FrameReader};

/// Sends requests, each over a new connection.
#[derive(Clone)]
pub(crate) struct Client {
    http: reqwest::Client,
    base: String,
    key: Option<String>,
}

/// A complete response.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

/// A request to be sent.
pub(crate) struct Request {
    client: Client,
    method: Method,
    path: String,
    head: Vec<(String, Vec<u8>)>,
    body: Option<Vec<u8>>,
}

/// A stream of events.
pub(crate) struct Events {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    response: Response,
    reader: FrameReader,
    ready: std::collections::VecDeque<Frame>,
}

impl Client {
    pub(crate) fn of(address: SocketAddr, key: Option<String>) -> Self {
        let http = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).build().unwrap();
        Self { http, base: format!("http://{address}"), key }
    }

    /// Returns the same client with this key or token.
    pub(crate) fn with_key(&self, key: impl Into<String>) -> Self {
        Self { key: Some(key.into()), ..self.clone() }
    }

    pub(crate) fn request(&self, method: &str, path: &str) -> Request {
        let method = method.to_uppercase().parse().unwrap();
        Request { client: self.clone(), method, path: path.to_owned(), head: Vec::new(), body: None }
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.request("GET", path).send().await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Reply {
        self.request("POST", path).json(body).send().await
    }

    /// Uploads a file.
    pub(crate) async fn upload(&self, name: &str, content: impl Into<Vec<u8>>) -> Reply {
        self.request("POST", &format!("/api/v1/files?name={name}")).body(content).send().await
    }

    /// Starts a turn. Returns the turn's id and its session's id.
    pub(crate) async fn say(&self, session: Option<&str>, message: &str) -> (String, String) {
        let mut body = json!({ "message": message });
        if let Some(session) = session {
            body["session_id"] = json!(session);
        }
        let reply = self.post("/api/v1/turns", &body).await;
        assert_eq!(reply.status, 202, "{}", reply.body);
        let id = |name: &str| reply.json()[name].as_str().unwrap().to_owned();
        (id("turn_id"), id("session_id"))
    }

    /// Returns the event stream at `path`, after a cursor.
    pub(crate) async fn follow(&self, path: &str, after: Option<&str>) -> Events {
        let request = self.request("GET", path);
        match after {
            Some(after) => request.header("last-event-id", after).events().await,
            None => request.events().await,
        }
    }

    /// Starts a turn and waits for its end. Returns the turn's id and its session's id.
    pub(crate) async fn run_turn(&self, session: Option<&str>, message: &str) -> (String, String) {
        let (turn, session) = self.say(session, message).await;
        let frames = self.follow(&format!("/api/v1/turns/{turn}/events"), None).await.rest().await;
        assert_eq!(frames.last().unwrap().name(), "turn.ended");
        (turn, session)
    }
}

impl Request {
    pub(crate) fn json(self, body: &Value) -> Self {
        self.body(body.to_string())
    }

    pub(crate) fn body(self, body: impl Into<Vec<u8>>) -> Self {
        Self { body: Some(body.into()), ..self }
    }

    pub(crate) fn header(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.head.push((name.to_owned(), value.as_ref().to_vec()));
        self
    }

    pub(crate) async fn send(self) -> Reply {
        let response = self.response().await;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Reply { status, headers, body: response.text().await.unwrap() }
    }

    pub(crate) async fn events(self) -> Events {
        let response = self.header(ACCEPT.as_str(), "text/event-stream").response().await;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Events { status, headers, response, reader: FrameReader::default(), ready: Default::default() }
    }

    async fn response(self) -> Response {
        let Self { client, method, path, head, body } = self;
        let mut request = client.http.request(method, format!("{}{path}", client.base));
        for (name, value) in head {
            request = request.header(name, value);
        }
        if let Some(key) = &client.key {
            request = request.bearer_auth(key);
        }
        if let Some(body) = body {
            request = request.header(CONTENT_TYPE, "application/json").body(body);
        }
        request.send().await.unwrap()
    }
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Returns the code of an error response.
    pub(crate) fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }

    /// Returns the invalid field of an error response.
    pub(crate) fn field(&self) -> String {
        let error = &self.json()["error"];
        assert_eq!(error["param"], error["details"]["field"], "{error}");
        error["param"].as_str().unwrap_or_default().to_owned()
    }
}

impl Events {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Returns the next frame, or `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<Frame> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Some(frame);
            }
            let bytes = self.response.chunk().await.unwrap()?;
            self.ready.extend(self.reader.push(&bytes).unwrap());
        }
    }

    /// Reads up to the first frame that `wanted` accepts.
    pub(crate) async fn until(&mut self, wanted: impl Fn(&Frame) -> bool) -> Frame {
        loop {
            let frame = self.next().await.unwrap_or_else(|| panic!("the stream ended"));
            if wanted(&frame) {
                return frame;
            }
        }
    }

    /// Reads all frames up to the end.
    pub(crate) async fn rest(&mut self) -> Vec<Frame> {
        let mut frames = Vec::new();
        while let Some(frame) = self.next().await {
            frames.push(frame);
        }
        frames
    }
}

/// Returns the text of frames, exactly as received.
pub(crate) fn text(frames: &[Frame]) -> String {
    frames.iter().map(|frame| frame.text.as_str()).collect()
}
