//! A folder in which turnkit and the servers run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use turnkit_testkit::http::HttpClient;

use crate::gateway::Gateway;
use crate::packages::Packages;
use crate::servers::{Server, Transport};

/// A folder with a configuration, and with the files that the servers work on.
pub(crate) struct Workspace {
    path: PathBuf,
    /// The servers over HTTP.
    pub(crate) gateways: Vec<Gateway>,
    _folder: TempDir,
}

/// The result of a command.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A running `turnkit serve`.
pub(crate) struct Serving {
    pub(crate) url: String,
    _process: Child,
}

impl Workspace {
    /// Creates a folder with this configuration.
    pub(crate) fn new(configuration: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        // Servers compare paths with those of links resolved.
        let path = folder.path().canonicalize().unwrap();
        fs::write(path.join("turnkit.toml"), configuration).unwrap();
        Self { path, gateways: Vec::new(), _folder: folder }
    }

    /// Creates a folder whose configuration has these servers, each with the settings in `more`.
    pub(crate) async fn with_servers(
        packages: &Packages,
        servers: &[Server],
        transport: Transport,
        more: &str,
    ) -> Self {
        let mut workspace = Self::new("");
        workspace.write_files().await;
        let folder = workspace.path.clone();
        if transport == Transport::Http {
            workspace.gateways = Gateway::start_all(packages, &folder, servers).await;
        }
        let sections = servers.iter().map(|server| {
            let name = server.name();
            let place = match workspace.gateways.iter().find_map(|gateway| gateway.url(*server)) {
                Some(url) => format!("url = {}\n", json!(url)),
                None => format!("command = {}\n", json!(server.command(packages, &folder))),
            };
            let variable = server.variable(&folder).filter(|_| transport == Transport::Pipes);
            let env = variable.map(|(name, value)| format!("env = {{ {name} = {} }}\n", json!(value)));
            format!("[[mcp]]\nname = \"{name}\"\n{place}{}{more}\n", env.unwrap_or_default())
        });
        let configuration: String = sections.collect();
        workspace.append(&configuration);
        workspace
    }

    /// Adds to the configuration.
    pub(crate) fn append(&self, text: &str) {
        let file = self.path.join("turnkit.toml");
        let configuration = fs::read_to_string(&file).unwrap();
        fs::write(file, configuration + text).unwrap();
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces the names of folders in the arguments of a call by their paths.
    pub(crate) fn with_paths(&self, arguments: &str) -> String {
        let path = |name: &str| self.path.join(name).into_os_string().into_string().unwrap();
        arguments.replace("{files}", &path("files")).replace("{repository}", &path("repository"))
    }

    /// Returns a command that runs in this folder, with a home of its own and only `PATH` besides.
    #[expect(clippy::disallowed_methods, reason = "servers find git where the user has it")]
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.path).env_clear().env("HOME", &self.path);
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        command
    }

    /// Starts turnkit.
    pub(crate) fn start(&self, words: &[&str]) -> Child {
        self.command(env!("CARGO_BIN_EXE_turnkit")).args(words).spawn().unwrap()
    }

    /// Runs turnkit to its end.
    pub(crate) async fn run(&self, words: &[&str]) -> Outcome {
        outcome(self.start(words)).await
    }

    /// Starts `turnkit serve`, and waits until it is ready.
    pub(crate) async fn serve(&self) -> Serving {
        let mut command = self.command(env!("CARGO_BIN_EXE_turnkit"));
        let mut process = command.args(["serve", "--listen", "127.0.0.1:0"]).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let ready = lines.next_line().await.unwrap();
        let url = ready.as_deref().and_then(|line| line.strip_prefix("turnkit listening on "));
        Serving { url: url.unwrap_or_else(|| panic!("not ready: {ready:?}")).to_owned(), _process: process }
    }

    /// Creates a folder with a text and a picture, and a repository with one commit and a change.
    async fn write_files(&self) {
        let (files, repository) = (self.path.join("files"), self.path.join("repository"));
        fs::create_dir(&files).unwrap();
        fs::write(files.join("a.txt"), "hello\nworld\n").unwrap();
        fs::write(files.join("a.png"), b"\x89PNG\r\n\x1a\n").unwrap();
        fs::create_dir(&repository).unwrap();
        fs::write(repository.join("poem"), "one\n").unwrap();
        for words in [
            &["init", "--quiet", "--initial-branch", "main"][..],
            &["config", "user.name", "Ada"],
            &["config", "user.email", "ada@example.com"],
            &["add", "poem"],
            &["commit", "--quiet", "--message", "first"],
        ] {
            let git = self.command("git").current_dir(&repository).args(words).spawn().unwrap();
            let done = outcome(git).await;
            assert_eq!(done.code, Some(0), "{words:?}: {done:?}");
        }
        fs::write(repository.join("poem"), "one\ntwo\n").unwrap();
    }
}

impl Serving {
    /// Returns a client of the server.
    pub(crate) fn client(&self) -> HttpClient {
        HttpClient::new(self.url.strip_prefix("http://").unwrap())
    }

    /// Starts a turn of a new session and returns its id.
    pub(crate) async fn say(&self, message: &str) -> String {
        let client = self.client();
        let session = client.post("/api/v1/sessions", &[], &json!({})).await.unwrap().json();
        let body = json!({ "session_id": session["id"], "message": message });
        let accepted = client.post("/api/v1/turns", &[], &body).await.unwrap();
        assert_eq!(accepted.status, 202, "{:?}", accepted.json());
        accepted.json()["turn_id"].as_str().unwrap().to_owned()
    }

    /// Waits until a turn has ended, and returns its last event.
    pub(crate) async fn end_of(&self, turn: &str) -> Value {
        let mut events = self.client().follow(&format!("/api/v1/turns/{turn}/events"), None).await.unwrap();
        events.rest().await.unwrap().last().unwrap().json()
    }
}

/// Waits until a program has ended.
pub(crate) async fn outcome(child: Child) -> Outcome {
    let output = child.wait_with_output().await.unwrap();
    Outcome {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}
