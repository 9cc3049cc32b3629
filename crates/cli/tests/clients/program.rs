//! External programs, run on scripts of this repository.

use std::path::PathBuf;
use std::process::Stdio;

use serde::Deserialize;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

/// If this variable is set to `require`, a missing client is an error.
const STRICT: &str = "TURNKIT_CLIENTS";

/// A line printed by a script.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum ScriptLine {
    /// An event arrived.
    Event(Event),
    /// The response head arrived.
    Head { status: u16, turn: Option<String> },
    /// The connection was opened, for the first time or again.
    Open { open: bool },
    /// The stream has ended.
    End { end: bool },
}

/// An event as a client receives it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Event {
    pub(crate) event: String,
    pub(crate) id: String,
    pub(crate) data: String,
}

impl Event {
    /// Returns the data as JSON, or null if it is not JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.data).unwrap_or_default()
    }
}

/// Returns the program that this variable names. Without the variable, prints that the test was skipped.
#[expect(clippy::disallowed_methods, reason = "where clients are is a matter of the machine")]
pub(crate) fn named_by(variable: &str) -> Option<PathBuf> {
    let program = std::env::var_os(variable).map(PathBuf::from);
    if program.is_none() {
        assert!(std::env::var_os(STRICT).is_none_or(|strict| strict != "require"), "{variable} is not set");
        println!("SKIPPED: `cargo xtask test` sets {variable} where there is this client");
    }
    program
}

/// Returns the path of a script.
pub(crate) fn script(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/clients").join(name)
}

/// A running script.
pub(crate) struct Running {
    process: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Running {
    /// Starts a program, which is killed when the value is dropped.
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut process = command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        Self { process, lines }
    }

    /// Returns the next line of its output, or `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<ScriptLine> {
        let line = self.lines.next_line().await.unwrap()?;
        Some(serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line}: {error}")))
    }

    /// Returns everything that a reader of one turn prints: the turn, and its events up to the end.
    pub(crate) async fn read_all(mut self) -> (String, Vec<Event>) {
        let Some(ScriptLine::Head { status: 200, turn: Some(turn) }) = self.next().await else {
            panic!("no turn began")
        };
        let mut events = Vec::new();
        loop {
            match self.next().await {
                Some(ScriptLine::Event(event)) => events.push(event),
                Some(ScriptLine::End { end: true }) => break,
                other => panic!("{other:?} after {events:?}"),
            }
        }
        self.finish().await;
        (turn, events)
    }

    /// Waits until the program ends, which must succeed.
    pub(crate) async fn finish(mut self) {
        assert!(self.process.wait().await.unwrap().success());
    }
}
