//! The binary, run in a temporary folder with a separate environment.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};
use turnkit_testkit::FakeUpstream;
use turnkit_testkit::http::HttpClient;

/// A folder in which the binary runs.
pub(crate) struct Place {
    directory: TempDir,
}

/// The result of a command.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    /// Creates an empty folder.
    pub(crate) fn new() -> Self {
        Self { directory: tempfile::tempdir().unwrap() }
    }

    /// Creates a folder whose configuration names `upstream` as the provider.
    pub(crate) fn asking(upstream: &FakeUpstream) -> Self {
        Self::asking_at(&upstream.base_url())
    }

    /// Creates a folder whose configuration has a provider at `base_url`.
    pub(crate) fn asking_at(base_url: &str) -> Self {
        let place = Self::new();
        let provider = format!(
            "[[providers]]\nid = \"fake\"\napi = \"openai-chat\"\nbase_url = \"{base_url}\"\napi_key = \"secret-key\"\nmodels = [\"small\"]\n"
        );
        place.write("turnkit.toml", &provider);
        place
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Returns the home folder of the user who runs the binary.
    fn home(&self) -> PathBuf {
        self.path().join("home")
    }

    /// Returns the location of data without a configuration file.
    pub(crate) fn data_of_user(&self) -> PathBuf {
        let folder = if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/share" };
        self.home().join(folder).join("turnkit")
    }

    /// Reports whether a command has created data, next to a configuration file or in the user's data folder.
    pub(crate) fn has_data(&self) -> bool {
        self.path().join("data").exists() || self.home().exists()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).unwrap();
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnkit"));
        self.alone(&mut command, words);
        command
    }

    fn alone(&self, command: &mut Command, words: &[&str]) {
        command.args(words);
        self.at_home(command);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    }

    /// Sets this folder, a separate home and an empty environment for a command, so that nothing reaches the data of
    /// the user who runs the tests.
    pub(crate) fn at_home(&self, command: &mut Command) {
        command.current_dir(self.path()).env_clear().env("HOME", self.home()).kill_on_drop(true);
    }

    /// Returns a command that gets an error, instead of a signal, when a file reaches its size limit.
    #[cfg(target_os = "linux")]
    pub(crate) fn ignoring_the_limit_of_files(&self, words: &[&str]) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_turnkit")]);
        self.alone(&mut command, words);
        command
    }

    pub(crate) fn start(&self, words: &[&str]) -> Child {
        self.command(words).spawn().unwrap()
    }

    pub(crate) async fn run(&self, words: &[&str]) -> Outcome {
        outcome(self.start(words)).await
    }

    pub(crate) async fn pipe(&self, words: &[&str], input: &str) -> Outcome {
        let mut child = self.command(words).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).await.unwrap();
        drop(stdin);
        outcome(child).await
    }

    /// Starts a server on a free port, and waits until it is ready.
    pub(crate) async fn serve(&self) -> Server {
        self.serve_with(&[], &[]).await
    }

    /// Starts a server like [`serve`](Self::serve), with more arguments and variables.
    pub(crate) async fn serve_with(&self, words: &[&str], variables: &[(&str, &str)]) -> Server {
        let words = [&["serve", "--listen", "127.0.0.1:0"][..], words].concat();
        let mut child = self.command(&words).envs(variables.iter().copied()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let ready = lines.next_line().await.unwrap();
        let Some(url) = ready.as_deref().and_then(|line| line.strip_prefix("turnkit listening on ")) else {
            panic!("not ready: {ready:?} {:?}", outcome(child).await)
        };
        Server { url: url.to_owned(), child }
    }

    /// Returns the id of the session that was used last.
    pub(crate) async fn last_session(&self) -> String {
        let listed: serde_json::Value =
            serde_json::from_str(&self.run(&["sessions", "ls", "--json"]).await.stdout).unwrap();
        listed["data"][0]["id"].as_str().unwrap().to_owned()
    }
}

/// A running `turnkit serve`.
pub(crate) struct Server {
    pub(crate) url: String,
    pub(crate) child: Child,
}

impl Server {
    /// Returns a client of the server.
    pub(crate) fn client(&self) -> HttpClient {
        HttpClient::new(self.url.strip_prefix("http://").unwrap())
    }

    /// Kills the server with SIGKILL.
    pub(crate) async fn kill(mut self) {
        signal(&self.child, Signal::KILL);
        self.child.wait().await.unwrap();
    }

    /// Sends the server the signal to stop, and waits until it has ended.
    pub(crate) async fn stop(self) -> Outcome {
        signal(&self.child, Signal::TERM);
        outcome(self.child).await
    }
}

/// Starts a server that answers its first request with these bytes. Returns its address, and a function that returns
/// the request.
pub(crate) fn answers_once(response: String) -> (SocketAddr, impl FnOnce() -> String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let answering = std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            socket.read_exact(&mut byte).unwrap();
            head.extend_from_slice(&byte);
        }
        socket.write_all(response.as_bytes()).unwrap();
        String::from_utf8(head).unwrap()
    });
    (address, || answering.join().unwrap())
}

/// Returns a whole HTTP response.
pub(crate) fn response(status: u16, content_type: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status} So\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\n\r\n{body}")
}

pub(crate) fn signal(child: &Child, signal: Signal) {
    let pid = Pid::from_raw(i32::try_from(child.id().unwrap()).unwrap()).unwrap();
    kill_process(pid, signal).unwrap();
}

pub(crate) async fn outcome(child: Child) -> Outcome {
    let output = child.wait_with_output().await.unwrap();
    Outcome {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}
