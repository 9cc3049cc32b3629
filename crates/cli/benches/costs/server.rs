//! The binary, started under a counting program.

use std::error::Error;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process_group};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use turnkit_testkit::{FakeUpstream, Gate};

use crate::Outcome;
use crate::mcp_servers::McpServers;
use crate::upstream::WORD;

/// The last bytes of a chunked response.
const END: &[u8] = b"\r\n0\r\n\r\n";

/// A running server.
pub(crate) struct Server {
    process: Child,
    address: String,
    folder: TempDir,
}

impl Server {
    /// Starts a server with the provider `upstream` and the tools of `servers`, under the program and arguments
    /// `counter`.
    pub(crate) async fn start(
        upstream: &FakeUpstream,
        servers: &McpServers,
        counter: &[&str],
    ) -> Result<Self, Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let configuration = format!(
            "[[providers]]\nid = \"fake\"\napi = \"openai-chat\"\nbase_url = \"{}\"\napi_key = \"secret\"\n\
             models = [\"small\"]\n\n{}\
             [[agents]]\nname = \"assistant\"\ninstructions = \"You are helpful.\"\ntools = [\"calculator\"{}]\n",
            upstream.base_url(),
            servers.sections(),
            servers.patterns(),
        );
        std::fs::write(folder.path().join("turnkit.toml"), configuration)?;
        let mut words = counter.iter().copied().chain([env!("CARGO_BIN_EXE_turnkit")]);
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).args(["serve", "--listen", "127.0.0.1:0"]).current_dir(folder.path());
        // The counts must not depend on the number of processors.
        command.env_clear().env("HOME", folder.path()).env("TOKIO_WORKER_THREADS", "2");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true).process_group(0);
        let mut process = command.spawn()?;
        let mut lines = BufReader::new(process.stdout.take().ok_or("no output")?).lines();
        let ready = lines.next_line().await?.ok_or("the server does not start")?;
        let address = ready.split_once("http://").ok_or("the server does not say where it listens")?.1;
        Ok(Self { process, address: address.trim().to_owned(), folder })
    }

    /// Makes the server read the tools of each MCP server. Turns that waited for them would be more expensive than warm
    /// ones, and how many do depends on the speed of the machine.
    pub(crate) async fn read_tools(&self, servers: &McpServers) -> Outcome {
        let lock = std::fs::read_to_string(self.folder.path().join("data/turnkit.lock"))?;
        let token = lock.split_whitespace().nth(1).ok_or("the server announces no token")?;
        for name in servers.names() {
            let mut socket = TcpStream::connect(&self.address).await?;
            let head = format!("POST /api/v1/mcp/{name}/reconnect HTTP/1.1\r\nhost: {}", self.address);
            let rest = format!("authorization: Bearer {token}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            socket.write_all(format!("{head}\r\n{rest}").as_bytes()).await?;
            let mut response = String::new();
            socket.read_to_string(&mut response).await?;
            if !response.starts_with("HTTP/1.1 200 ") {
                return Err(format!("the tools of {name} cannot be read: {response}").into());
            }
        }
        Ok(())
    }

    /// Connects a client that keeps its connection open.
    pub(crate) async fn connect(&self) -> Result<Client, Box<dyn Error>> {
        let socket = TcpStream::connect(&self.address).await?;
        socket.set_nodelay(true)?;
        Ok(Client { socket, host: self.address.clone(), received: Vec::new() })
    }

    /// Stops the server, and waits until the counting program has written its counts.
    pub(crate) async fn stop(mut self) -> Outcome {
        let pid = self.process.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?)).ok_or("the server ended")?;
        // Signal the whole group: the counting program may not forward signals to its child process.
        kill_process_group(pid, Signal::TERM)?;
        let status = self.process.wait().await?;
        if status.success() { Ok(()) } else { Err(format!("the server ended with {status}").into()) }
    }
}

/// A client that runs one turn after another.
pub(crate) struct Client {
    socket: TcpStream,
    host: String,
    received: Vec<u8>,
}

impl Client {
    /// Runs a turn in a new session and reads it to its end. Opens a gate for each token that it has read.
    pub(crate) async fn turn(&mut self, gates: &[Gate]) -> Outcome {
        let body = r#"{"message":"What is the answer to the question that nobody has asked so far?"}"#;
        let request = format!(
            "POST /chat HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        );
        self.socket.write_all(request.as_bytes()).await?;
        self.received.clear();
        while !self.received.ends_with(END) {
            if self.socket.read_buf(&mut self.received).await? == 0 {
                return Err(self.complaint("the server broke off").into());
            }
            gates.iter().take(self.tokens()).for_each(Gate::open);
        }
        let completed = self.received.windows(11).any(|bytes| bytes == b"event: done");
        if completed { Ok(()) } else { Err(self.complaint("the turn did not complete").into()) }
    }

    /// Returns the number of tokens read so far.
    fn tokens(&self) -> usize {
        let word = WORD.as_bytes();
        self.received.windows(word.len()).filter(|bytes| *bytes == word).count()
    }

    fn complaint(&self, what: &str) -> String {
        format!("{what} after {:?}", String::from_utf8_lossy(&self.received))
    }
}
