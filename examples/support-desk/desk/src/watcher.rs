//! The process that ends turnkit if the desk is killed.
//!
//! The servers end with their standard input, which ends when the desk ends in any way. turnkit does not read its own,
//! so this process does so in its place.

use std::env;
use std::process::Stdio;

use anyhow::Context;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};

use crate::stop;

/// A running watcher of one process.
///
/// A watcher that is dropped ends nothing.
pub(crate) struct Watcher {
    // It is killed before its input ends, because fields are dropped in this order.
    _child: Child,
    input: ChildStdin,
}

impl Watcher {
    /// Starts a watcher, which waits for the id of its process.
    pub(crate) fn start() -> anyhow::Result<Self> {
        let mut command = Command::new(env::current_exe().context("cannot find this program")?);
        command.arg("watch").stdin(Stdio::piped()).stdout(Stdio::null()).kill_on_drop(true);
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn().context("cannot start the watcher of turnkit")?;
        let input = child.stdin.take().context("the watcher of turnkit has no input")?;
        Ok(Self { _child: child, input })
    }

    /// Names the process that is to end with the desk.
    pub(crate) async fn watch(&mut self, process: u32) -> anyhow::Result<()> {
        let line = format!("{process}\n");
        self.input.write_all(line.as_bytes()).await.context("the watcher of turnkit has ended")
    }
}

/// Ends the process that the first line of the standard input names, once the input ends.
pub(crate) async fn watch() -> anyhow::Result<()> {
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    let Some(process) = lines.next_line().await? else { return Ok(()) };
    let process = process.parse::<u32>().context("the first line is not the id of a process")?;
    while lines.next_line().await?.is_some() {}
    stop::signal(process);
    Ok(())
}
