//! The connection to a host: it sends commands and receives lines. Both transports carry the same commands and lines.

mod frame_converter;
mod http;

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use crate::kill::Over;
use crate::kill::protocol::{Command, Line};
use http::Http;

/// The maximum number of lines waiting to be read.
const MAX_WAITING: usize = 1024;

/// An item received from a host.
#[derive(Debug)]
pub(super) enum HostMessage {
    /// The host sent a line.
    Line(Line),
    /// The host is dead, and sends nothing more.
    Closed,
}

/// The connection to one host, until the host ends.
pub(super) struct HostConnection {
    /// Closed when the client wants nothing more.
    pipe: Option<ChildStdin>,
    /// The transport of requests, if it is not the pipe.
    http: Option<Http>,
}

impl HostConnection {
    /// Opens the connection to `host`.
    pub(super) fn open(host: &mut Child, over: Over) -> io::Result<(Self, Receiver<HostMessage>)> {
        let Some((input, output)) = host.stdin.take().zip(host.stdout.take()) else {
            return Err(io::Error::other("the host has no pipes"));
        };
        let (sender, messages) = sync_channel(MAX_WAITING);
        let http = match over {
            Over::Pipes => None,
            Over::Http => Some(Http::new(sender.clone())?),
        };
        listen(output, sender);
        Ok((Self { pipe: Some(input), http }, messages))
    }

    /// Records the address at which the host listens.
    pub(super) fn set_address(&mut self, address: &str) {
        if let Some(http) = &mut self.http {
            http.set_address(address);
        }
    }

    /// Sends commands. A dead host receives none of them; its death is detected when its output ends.
    pub(super) fn send(&mut self, commands: impl IntoIterator<Item = Command>) {
        for command in commands {
            match &mut self.http {
                Some(http) => http.send(command),
                None => self.write(&command),
            }
        }
    }

    /// Asks the host to finish and exit.
    pub(super) fn close(&mut self) {
        self.write(&Command::Quit);
        self.pipe = None;
    }

    fn write(&mut self, command: &Command) {
        let (Some(pipe), Ok(mut line)) = (&mut self.pipe, serde_json::to_vec(command)) else { return };
        line.push(b'\n');
        let _ = pipe.write_all(&line);
    }
}

/// Reads complete lines from a pipe on a separate thread until the pipe closes.
fn listen(output: ChildStdout, sender: SyncSender<HostMessage>) {
    std::thread::spawn(move || {
        let mut output = BufReader::new(output);
        let mut text = String::new();
        // The host died while writing an incomplete line, so the client did not see it.
        while output.read_line(&mut text).is_ok_and(|bytes| bytes > 0) && text.ends_with('\n') {
            let Ok(line) = serde_json::from_str(&text) else { break };
            if sender.send(HostMessage::Line(line)).is_err() {
                return;
            }
            text.clear();
        }
        let _ = sender.send(HostMessage::Closed);
    });
}
