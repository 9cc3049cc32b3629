//! `turnkit serve` in a temporary folder.

use std::path::Path;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use turnkit_testkit::FakeUpstream;
use turnkit_testkit::http::HttpClient;

/// A running server, which can be killed and restarted.
pub(crate) struct Server {
    folder: TempDir,
    process: Child,
    address: String,
}

impl Server {
    /// Starts a server without a configuration, so that the offline responder answers.
    pub(crate) async fn offline() -> Self {
        Self::start_in(tempfile::tempdir().unwrap()).await
    }

    /// Starts a server with this configuration, which has no providers, so that the offline responder answers.
    pub(crate) async fn offline_with(configuration: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("turnkit.toml"), configuration).unwrap();
        Self::start_in(folder).await
    }

    /// Starts a server whose model is `upstream`.
    pub(crate) async fn asking(upstream: &FakeUpstream) -> Self {
        Self::asking_with(upstream, "").await
    }

    /// Starts a server whose model is `upstream`, with additional tables in its configuration.
    pub(crate) async fn asking_with(upstream: &FakeUpstream, tables: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let provider = format!(
            "[[providers]]\nid = \"fake\"\napi = \"openai-chat\"\nbase_url = \"{}\"\napi_key = \"secret\"\n\
             models = [\"small\"]\n{tables}",
            upstream.base_url()
        );
        std::fs::write(folder.path().join("turnkit.toml"), provider).unwrap();
        Self::start_in(folder).await
    }

    async fn start_in(folder: TempDir) -> Self {
        let (process, address) = spawn(folder.path(), "127.0.0.1:0").await;
        Self { folder, process, address }
    }

    /// Kills the process, and starts another one at the same address, on the same data.
    pub(crate) async fn kill_and_start(&mut self) {
        let _port = hold(&self.address).await;
        kill_process(self.pid(), Signal::KILL).unwrap();
        self.process.wait().await.unwrap();
        let (process, address) = spawn(self.folder.path(), &self.address).await;
        assert_eq!(address, self.address);
        self.process = process;
    }

    /// Reports whether the write-ahead log of the database `turnkit.db` next to the configuration contains this text.
    pub(crate) fn has_written(&self, text: &str) -> bool {
        let log = std::fs::read(self.folder.path().join("turnkit.db-wal")).unwrap();
        log.windows(text.len()).any(|bytes| bytes == text.as_bytes())
    }

    pub(crate) fn client(&self) -> HttpClient {
        HttpClient::new(&self.address)
    }

    /// Returns the address, such as `127.0.0.1:8787`.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn pid(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.process.id().unwrap()).unwrap()).unwrap()
    }

    /// Returns the JSON at `path`.
    pub(crate) async fn get(&self, path: &str) -> Value {
        let answer = self.client().get(path).await.unwrap();
        assert_eq!(answer.status, 200, "{path}: {:?}", answer.json());
        answer.json()
    }

    /// Creates a session and returns its id.
    pub(crate) async fn session(&self) -> String {
        let made = self.client().post("/api/v1/sessions", &[], &json!({})).await.unwrap();
        made.json()["id"].as_str().unwrap().to_owned()
    }

    /// Starts a turn and returns its id.
    pub(crate) async fn say(&self, session: &str, message: &str) -> String {
        let body = json!({ "session_id": session, "message": message });
        let accepted = self.client().post("/api/v1/turns", &[], &body).await.unwrap();
        assert_eq!(accepted.status, 202, "{:?}", accepted.json());
        accepted.json()["turn_id"].as_str().unwrap().to_owned()
    }

    /// Returns the stored answer of a turn.
    pub(crate) async fn answer(&self, turn: &str) -> String {
        let shown = self.get(&format!("/api/v1/turns/{turn}")).await;
        let session = shown["session_id"].as_str().unwrap();
        let messages = self.get(&format!("/api/v1/sessions/{session}/messages")).await;
        let last = &messages["data"][0];
        assert_eq!((&last["turn_id"], &last["role"]), (&json!(turn), &json!("assistant")));
        last["parts"].as_array().unwrap().iter().filter_map(|part| part["text"].as_str()).collect()
    }
}

/// Starts the binary and waits until it prints its address.
async fn spawn(folder: &Path, listen: &str) -> (Child, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnkit"));
    command.args(["serve", "--listen", listen]).current_dir(folder).kill_on_drop(true);
    // A separate home, so that nothing reaches the data of the user who runs the tests.
    command.env_clear().env("HOME", folder.join("home"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut process = command.spawn().unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let ready = lines.next_line().await.unwrap().expect("the server says where it listens");
    let address = ready.split_once("http://").expect("a URL").1.trim().to_owned();
    (process, address)
}

/// Opens a connection that outlives its server. While it is open, the system gives the server's port to no other
/// process.
async fn hold(address: &str) -> TcpStream {
    let mut connection = TcpStream::connect(address).await.unwrap();
    connection.write_all(format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\n\r\n").as_bytes()).await.unwrap();
    connection.read_u8().await.unwrap();
    connection
}
