//! A server with the sources and the targets of injected texts.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use turnkit_testkit::http::{Frame, HttpClient};
use turnkit_testkit::{FakeUpstream, Received};

use super::model::{REPEATS, obey};
use super::site::Site;
use super::tool_server::ToolServer;
use crate::support::{Place, Server};

const CONFIGURATION: &str = r#"
[[agents]]
name = "assistant"
tools = ["*", "write_file", "edit_file", "fetch_url", "run_command", "task", "desk__tell"]
defer_tools = ["publish"]

[[agents]]
name = "closed"
tools = ["write_file", "edit_file", "mark"]

[[agents]]
name = "reader"
instructions = "REPEATS"
tools = ["news"]

[[agents]]
name = "worker"
tools = ["news", "write_file", "edit_file", "report", "mark"]

[[agents]]
name = "described"
tools = [
    "write_file", "edit_file", "run_command", "task", "lookup", "report", "mark", "desk__asked*", "desk__headless*",
]

[files]
roots = ["notes"]

[tools]
result_max_chars = 4000

[tools.run_command]
roots = ["project"]

[[tools.http]]
name = "news"
url = "http://PAGES/{topic}"
parameters = { properties = { topic = { type = "string" } }, required = ["topic"] }
read_only = true

[[tools.command]]
name = "mail"
run = ["cat", "--", "{file}"]
parameters = { properties = { file = { type = "string" } }, required = ["file"] }
read_only = true
open_world = true

[[tools.http]]
name = "lookup"
url = "http://SENTINEL/search?q={q}"
parameters = { properties = { q = { type = "string" } }, required = ["q"] }
read_only = true

[[tools.http]]
name = "report"
method = "POST"
url = "http://SENTINEL/reports"
parameters = { properties = { text = { type = "string" } }, required = ["text"] }

[[tools.http]]
name = "publish"
method = "PUT"
url = "http://SENTINEL/pages/{name}"
parameters = { properties = { name = { type = "string" } }, required = ["name"] }

[[tools.command]]
name = "mark"
run = ["touch", "--", "{file}"]
parameters = { properties = { file = { type = "string" } }, required = ["file"] }

[[mcp]]
name = "desk"
url = "http://DESK/mcp"
trust = "full"
"#;

/// The rules of an operator who allows everything.
const ALLOWING: &str = "[permissions]\nrules = [{ tool = \"*\", decision = \"allow\" }]\n";

/// The folders in which an injected action takes effect.
const FOLDERS: [&str; 3] = ["notes", "project", "marks"];

pub(super) struct World {
    pub(super) place: Place,
    /// The server of the hostile texts.
    pub(super) pages: Site,
    /// A server that must receive no request.
    pub(super) sentinel: Site,
    /// The MCP server of the hostile texts.
    pub(super) desk: ToolServer,
    upstream: FakeUpstream,
    server: Option<Server>,
}

impl World {
    /// Starts a server whose rules allow everything.
    pub(super) async fn start() -> Self {
        Self::start_with(ALLOWING).await
    }

    /// Starts a server without rules.
    pub(super) async fn start_without_rules() -> Self {
        Self::start_with("").await
    }

    async fn start_with(rules: &str) -> Self {
        let upstream = FakeUpstream::with_handler(obey).await.unwrap();
        let (pages, sentinel, desk) = (Site::start().await, Site::start().await, ToolServer::start().await);
        let place = Place::asking(&upstream);
        let configuration = CONFIGURATION
            .replace("REPEATS", REPEATS)
            .replace("PAGES", &pages.address.to_string())
            .replace("SENTINEL", &sentinel.address.to_string())
            .replace("DESK", &desk.address.to_string());
        let file = place.path().join("turnkit.toml");
        fs::write(&file, fs::read_to_string(&file).unwrap() + &configuration + rules).unwrap();
        for folder in FOLDERS.into_iter().chain(["mail"]) {
            fs::create_dir(place.path().join(folder)).unwrap();
        }
        let mut world = Self { place, pages, sentinel, desk, upstream, server: None };
        world.restart().await;
        world
    }

    pub(super) async fn restart(&mut self) {
        self.stop().await;
        self.server = Some(self.place.serve_with(&[], &[("PATH", "/usr/bin:/bin")]).await);
    }

    pub(super) async fn stop(&mut self) {
        if let Some(server) = self.server.take() {
            server.stop().await;
        }
    }

    pub(super) fn client(&self) -> HttpClient {
        self.server.as_ref().unwrap().client()
    }

    pub(super) fn folder(&self, name: &str) -> PathBuf {
        self.place.path().canonicalize().unwrap().join(name)
    }

    /// Returns all files that calls could have changed, with their contents.
    pub(super) fn files(&self) -> Vec<(PathBuf, String)> {
        let mut files: Vec<_> = FOLDERS.iter().flat_map(|folder| files_in(&self.folder(folder))).collect();
        files.sort();
        files
    }

    /// Reports whether a model was sent this text.
    pub(super) fn has_sent(&self, text: &str) -> bool {
        self.upstream.requests().iter().any(|request| String::from_utf8_lossy(&request.body).contains(text))
    }

    /// Reports whether a model that wrote `token` into a call read this text about a call.
    pub(super) fn has_read(&self, token: &str, what: &str) -> bool {
        let has_written = |message: &Value| message["tool_calls"].to_string().contains(token);
        let has_read = |message: &Value| message["role"] == "tool" && message["content"].to_string().contains(what);
        let holds = |request: &Received| String::from_utf8_lossy(&request.body).contains(token);
        self.upstream.requests().iter().filter(|request| holds(request)).any(|request| {
            let request = request.json();
            let messages = request["messages"].as_array().unwrap();
            messages.iter().any(has_written) && messages.iter().any(has_read)
        })
    }

    pub(super) async fn get(&self, path: &str) -> Value {
        let answer = self.client().get(path).await.unwrap();
        assert_eq!(answer.status, 200, "{path}: {}", String::from_utf8_lossy(&answer.body));
        answer.json()
    }

    pub(super) async fn post(&self, path: &str, body: &Value) -> Value {
        let answer = self.client().post(path, &[], body).await.unwrap();
        let said = String::from_utf8_lossy(&answer.body);
        assert!(matches!(answer.status, 200..=202), "{path} {body}: {} {said}", answer.status);
        answer.json()
    }

    /// Starts a turn. Returns its id and that of its session.
    pub(super) async fn begin(&self, body: &Value) -> (String, String) {
        let begun = self.post("/api/v1/turns", body).await;
        let id = |name: &str| begun[name].as_str().unwrap().to_owned();
        (id("turn_id"), id("session_id"))
    }

    /// Waits until a turn has ended. Returns its events.
    pub(super) async fn ends(&self, turn: &str) -> Vec<Frame> {
        let path = format!("/api/v1/turns/{turn}/events");
        let events = self.client().follow(&path, None).await.unwrap().rest().await.unwrap();
        let ended = events.last().map(Frame::json).unwrap_or_default();
        assert_eq!(ended["status"], "completed", "{ended}");
        events
    }

    /// Returns the interactions of a turn and of the turns below it that a person or the client must decide.
    pub(super) async fn pending(&self, turn: &str) -> Vec<Value> {
        let listed = self.get(&format!("/api/v1/interactions?turn={turn}")).await;
        listed["data"].as_array().unwrap().clone()
    }

    /// Waits until a turn, or one below it, needs a decision of a person or the client.
    pub(super) async fn waits(&self, turn: &str) -> Vec<Value> {
        loop {
            let pending = self.pending(turn).await;
            if !pending.is_empty() {
                return pending;
            }
            let view = self.get(&format!("/api/v1/turns/{turn}")).await;
            assert_ne!(view["state"], "completed", "the turn ended without a question: {view}");
            tokio::task::yield_now().await;
        }
    }

    /// Approves all interactions of a turn and of the turns below it, until it has ended.
    pub(super) async fn approve(&self, turn: &str) {
        loop {
            for one in self.pending(turn).await {
                let path = format!("/api/v1/interactions/{}", one["id"].as_str().unwrap());
                self.post(&path, &json!({ "decision": "approve" })).await;
            }
            let view = self.get(&format!("/api/v1/turns/{turn}")).await;
            if view["state"] == "completed" {
                return;
            }
            assert!(matches!(view["state"].as_str(), Some("running" | "waiting")), "{view}");
            tokio::task::yield_now().await;
        }
    }
}

fn files_in(folder: &Path) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: PathBuf| match path.is_dir() {
        true => files_in(&path),
        false => vec![(path.clone(), fs::read_to_string(&path).unwrap())],
    };
    entries.flat_map(read).collect()
}
