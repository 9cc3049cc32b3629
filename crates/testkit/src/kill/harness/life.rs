//! One life of the host process, from its start to its end.

use std::fs::OpenOptions;
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command as Process, Stdio};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use super::client::Client;
use super::connection::{HostConnection, HostMessage};
use super::plan::{Fault, Life};
use super::{Campaign, CampaignKind};
use crate::kill::protocol::Line;

/// The time a host has to finish all its requests.
const PATIENCE: Duration = Duration::from_secs(30);
/// The number of the signal that a process cannot catch.
const SIGKILL: i32 = 9;
/// How long a host in a crash loop suspends turns that saw two hosts die. It is longer than any life in the loop.
const SUSPENSION_MS: &str = "1000";
/// The log file with the host's standard error.
const LOG: &str = "host.log";

/// The host process to start.
#[derive(Debug, Clone, Copy)]
pub(super) struct Host<'a> {
    pub(super) campaign: &'a Campaign,
    pub(super) directory: &'a Path,
    pub(super) most_messages: u32,
}

/// How a life ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// The host died of its planned fault.
    AsPlanned,
    /// The host finished everything and exited before its fault occurred.
    Finished,
    /// The host took too long.
    Hung,
    /// The host exited by itself. Its output is in its log.
    Failed,
}

/// The result of a life.
#[derive(Debug, Clone, Copy)]
pub(super) struct LifeResult {
    pub(super) ending: Ending,
    /// The time from the start of the process until the turns of earlier lives had ended.
    pub(super) resumed_after: Option<Duration>,
    /// The time from the start of the process until it listed the pending decisions.
    pub(super) listed_after: Option<Duration>,
}

impl Host<'_> {
    /// Connects the client to a new host until the host dies or the client has seen everything it requested. Without a
    /// fault, the host is only asked to finish.
    pub(super) fn live(self, client: &mut Client, number: usize, life: Option<&Life>) -> io::Result<LifeResult> {
        let fault = life.map(|life| &life.fault);
        let start = Instant::now();
        let waits_for_earlier = client.carried(number) > 0;
        let mut child = self.spawn(fault)?;
        let (connection, messages) = HostConnection::open(&mut child, self.campaign.over)?;
        let mut session = HostSession { child, connection, fault, lines: 0, killed: false };
        session.connection.send(client.begin(number, life.map_or(&[], |life| &life.requests)));
        let (mut resumed_after, mut listed_after) = (None, None);
        let killed_after = match fault {
            Some(Fault::KilledAfter(time)) => Some(*time),
            _ => None,
        };
        loop {
            let patience = killed_after.filter(|_| !session.killed).unwrap_or(PATIENCE);
            match messages.recv_timeout(patience.saturating_sub(start.elapsed())) {
                Err(RecvTimeoutError::Timeout) if killed_after.is_some() && !session.killed => session.kill()?,
                Ok(HostMessage::Line(Line::Listening { address })) => session.connection.set_address(&address),
                Ok(HostMessage::Line(line)) => {
                    if matches!(line, Line::List { .. }) {
                        listed_after.get_or_insert_with(|| start.elapsed());
                    }
                    session.take(client, line)?;
                }
                Ok(HostMessage::Closed) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    session.child.kill()?;
                    session.child.wait()?;
                    return Ok(LifeResult { ending: Ending::Hung, resumed_after, listed_after });
                }
            }
            if waits_for_earlier && resumed_after.is_none() && client.carried(number) == 0 {
                resumed_after = Some(start.elapsed());
            }
        }
        Ok(LifeResult { ending: session.end(client)?, resumed_after, listed_after })
    }

    fn spawn(self, fault: Option<&Fault>) -> io::Result<Child> {
        let log = OpenOptions::new().create(true).append(true).open(self.directory.join(LOG))?;
        let Campaign { binary, over, mutant, kind, .. } = self.campaign;
        let mut process = Process::new(binary);
        process.arg("serve").arg(self.directory).args(["--over", &over.to_string()]);
        process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log);
        process.args(["--most-messages", &self.most_messages.to_string()]);
        match fault {
            Some(Fault::KilledAt(pass)) => process.arg("--kill-at").arg(pass.to_string()),
            Some(Fault::TakenOverAt(pass)) => process.arg("--take-over-at").arg(pass.to_string()),
            Some(Fault::KilledAfterLines(_) | Fault::KilledAfter(_)) | None => &mut process,
        };
        if *kind == CampaignKind::CrashLoop {
            process.args(["--suspension-ms", SUSPENSION_MS]);
        }
        if let Some(mutant) = mutant {
            process.arg("--mutant").arg(mutant.to_string());
        }
        process.spawn()
    }
}

/// A running host, and the state of the conversation with it.
struct HostSession<'a> {
    child: Child,
    connection: HostConnection,
    fault: Option<&'a Fault>,
    lines: u32,
    killed: bool,
}

impl HostSession<'_> {
    /// Handles a line, sends the client's commands, and kills the host if its fault is due.
    fn take(&mut self, client: &mut Client, line: Line) -> io::Result<()> {
        self.lines += 1;
        let answer = client.handle_line(line);
        self.connection.send(answer);
        let enough = match self.fault {
            Some(Fault::KilledAfterLines(count)) => self.lines >= *count,
            Some(Fault::TakenOverAt(_)) => client.is_taken_over(),
            Some(Fault::KilledAt(_) | Fault::KilledAfter(_)) | None => false,
        };
        if enough && !self.killed {
            self.kill()?;
        } else if client.has_seen_everything() {
            self.connection.close();
        }
        Ok(())
    }

    fn kill(&mut self) -> io::Result<()> {
        self.killed = true;
        self.child.kill()
    }

    fn end(mut self, client: &Client) -> io::Result<Ending> {
        let died = self.child.wait()?.signal() == Some(SIGKILL);
        Ok(match self.fault {
            Some(Fault::KilledAt(_)) if died => Ending::AsPlanned,
            _ if self.killed && died => Ending::AsPlanned,
            _ if !died && client.has_seen_everything() => Ending::Finished,
            _ => Ending::Failed,
        })
    }
}
