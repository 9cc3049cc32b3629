//! A process of the desk.

use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, bail};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use crate::stop;
use crate::watcher::Watcher;

/// The time that a process has to print its address.
const START: Duration = Duration::from_secs(30);

/// A process that serves at an address, which the first line of its output names.
///
/// It is killed when the value is dropped before [`stop`](Self::stop).
pub(crate) struct Process {
    name: &'static str,
    child: Child,
    url: String,
    /// Open until the process is to end: servers end with their input. It is not left in `child`, which would close it
    /// when the process is first waited for.
    input: Option<ChildStdin>,
    /// Ends the process if the desk is killed.
    watcher: Option<Watcher>,
    // Open until the end, because a process that cannot write its output fails.
    _output: Lines<BufReader<ChildStdout>>,
}

impl Process {
    /// Starts a program, and waits for the line with its address. A program that does not end with its input needs a
    /// `watcher`.
    pub(crate) async fn start(
        name: &'static str,
        mut command: Command,
        mut watcher: Option<Watcher>,
    ) -> anyhow::Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        // Ctrl-C at a terminal reaches every process of the group of this one. The desk alone decides who ends when.
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn().with_context(|| format!("cannot start {name}"))?;
        if let (Some(watcher), Some(id)) = (&mut watcher, child.id()) {
            watcher.watch(id).await?;
        }
        let input = child.stdin.take();
        let output = child.stdout.take().with_context(|| format!("{name} has no output"))?;
        let mut output = BufReader::new(output).lines();
        let line = timeout(START, output.next_line()).await.with_context(|| format!("{name} does not start"))??;
        let Some(url) = line.as_deref().and_then(address) else {
            bail!("{name} ended without an address; its messages are above");
        };
        Ok(Self { name, child, url: url.to_owned(), input, watcher, _output: output })
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the address of the process.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Returns the id of the process, while it runs.
    pub(crate) fn id(&self) -> Option<u32> {
        self.child.id()
    }

    /// Waits until the process ends, and says how.
    pub(crate) async fn ended(&mut self) -> String {
        match self.child.wait().await {
            Ok(status) => format!("{} ended ({status})", self.name),
            Err(error) => format!("{} cannot be observed any more: {error}", self.name),
        }
    }

    /// Asks the process to end, and kills it if it has not ended in this time.
    pub(crate) async fn stop(&mut self, patience: Duration) {
        drop(self.input.take());
        stop::ask(&mut self.child);
        if timeout(patience, self.child.wait()).await.is_err() {
            // It fails only if the process has ended meanwhile.
            let _ = self.child.kill().await;
        }
        drop(self.watcher.take());
    }
}

/// Returns the address in a line such as `turnkit listening on http://127.0.0.1:8787`.
fn address(line: &str) -> Option<&str> {
    let (_, url) = line.split_once("listening on ")?;
    Some(url.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_from_its_line_only() {
        assert_eq!(address("turnkit listening on http://127.0.0.1:8787"), Some("http://127.0.0.1:8787"));
        assert_eq!(address("error: the address is in use"), None);
    }
}
