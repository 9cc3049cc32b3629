//! A running desk.

use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// The time after which a test gives up. Nothing waits for it unless something hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// The last line of the description that the desk prints.
const LAST_LINE: &str = "Ctrl-C ends all of them.";

/// The program, with the description that it has printed.
pub(crate) struct Running {
    child: Child,
    lines: Vec<String>,
    _data: TempDir,
}

/// A process that the description names.
pub(crate) struct Process {
    pub(crate) name: String,
    address: String,
    pid: Pid,
}

/// A connection to each server, which ends with the process of the server.
pub(crate) struct Connections(Vec<TcpStream>);

impl Running {
    /// Starts the program, and waits until all of it runs.
    pub(crate) async fn start(arguments: &[&str]) -> Self {
        Self::start_in(TempDir::new().unwrap(), arguments).await
    }

    /// Starts the program with this shell script in place of turnkit, and waits until all of it runs.
    pub(crate) async fn start_with_turnkit(script: &str) -> Self {
        let data = TempDir::new().unwrap();
        // The first argument of turnkit is the script that the shell runs.
        std::fs::write(data.path().join("serve"), script).unwrap();
        Self::start_in(data, &["--turnkit", "/bin/sh"]).await
    }

    async fn start_in(data: TempDir, arguments: &[&str]) -> Self {
        let mut child = command(arguments, &data).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut lines: Vec<String> = Vec::new();
        while lines.last().is_none_or(|line| line != LAST_LINE) {
            lines.push(timeout(PATIENCE, output.next_line()).await.unwrap().unwrap().unwrap());
        }
        Self { child, lines, _data: data }
    }

    /// Runs the program until it ends by itself, and returns its status and its standard error.
    pub(crate) async fn end_of(arguments: &[&str]) -> (ExitStatus, String) {
        let data = TempDir::new().unwrap();
        let output = timeout(PATIENCE, command(arguments, &data).output()).await.unwrap().unwrap();
        (output.status, String::from_utf8(output.stderr).unwrap())
    }

    /// Returns the processes in the order of their start.
    pub(crate) fn processes(&self) -> impl Iterator<Item = Process> {
        self.lines.iter().filter_map(|line| {
            let [name, url, "process", pid] = line.split_whitespace().collect::<Vec<_>>()[..] else { return None };
            let address = url.strip_prefix("http://")?.to_owned();
            Some(Process { name: name.to_owned(), address, pid: Pid::from_raw(pid.parse().ok()?)? })
        })
    }

    /// Returns the value of a variable for turnkit.
    pub(crate) fn variable(&self, name: &str) -> &str {
        let exported = format!("export {name}=");
        self.lines.iter().find_map(|line| line.trim().strip_prefix(&exported)).unwrap()
    }

    /// Connects to each server.
    pub(crate) async fn connections(&self) -> Connections {
        let mut connections = Vec::new();
        for process in self.processes() {
            connections.push(TcpStream::connect(process.address).await.unwrap());
        }
        Connections(connections)
    }

    /// Sends a signal to the program itself.
    pub(crate) fn send(&self, signal: Signal) {
        let pid = i32::try_from(self.child.id().unwrap()).unwrap();
        kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
    }

    /// Kills a server.
    pub(crate) fn kill(&self, name: &str) {
        let process = self.processes().find(|process| process.name == name).unwrap();
        kill_process(process.pid, Signal::KILL).unwrap();
    }

    /// Waits for the end of the program, and returns its status and its standard error.
    pub(crate) async fn ended(&mut self) -> (ExitStatus, String) {
        let status = timeout(PATIENCE, self.child.wait()).await.unwrap().unwrap();
        let mut errors = String::new();
        // All processes share the standard error, so it ends with the last of them.
        let mut stderr = self.child.stderr.take().unwrap();
        timeout(PATIENCE, stderr.read_to_string(&mut errors)).await.unwrap().unwrap();
        (status, errors)
    }
}

fn command(arguments: &[&str], data: &TempDir) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_support-desk"));
    command.args(arguments).arg("--listen").arg("127.0.0.1:0").arg("--data").arg(data.path());
    command.current_dir(data.path());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    command
}

impl Connections {
    /// Waits until every server has closed its connection.
    pub(crate) async fn closed(self) {
        for mut connection in self.0 {
            let mut rest = Vec::new();
            // A process that is killed may reset its connections, which ends them just as well.
            let _ = timeout(PATIENCE, connection.read_to_end(&mut rest)).await.unwrap();
        }
    }
}
