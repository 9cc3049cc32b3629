//! The way to a host: commands in, lines out. What is asked and what is heard is the same over either.

mod http;
mod reading;

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use crate::kill::Over;
use crate::kill::protocol::{Command, Line};
use http::Http;

/// Lines that may wait to be read.
const MOST_WAITING: usize = 1024;

/// What is heard of a host.
#[derive(Debug)]
pub(super) enum Heard {
    /// It said something.
    Line(Line),
    /// It is dead, and nothing more is heard of it.
    Silence,
}

/// The way to one host, until its end.
pub(super) struct Door {
    /// Closed when nothing more is wanted.
    pipe: Option<ChildStdin>,
    /// Where requests go, if not over the pipe.
    http: Option<Http>,
}

impl Door {
    /// Opens the way to `host`.
    pub(super) fn open(host: &mut Child, over: Over) -> io::Result<(Self, Receiver<Heard>)> {
        let Some((input, output)) = host.stdin.take().zip(host.stdout.take()) else {
            return Err(io::Error::other("the host has no pipes"));
        };
        let (tell, heard) = sync_channel(MOST_WAITING);
        let http = match over {
            Over::Pipes => None,
            Over::Http => Some(Http::new(tell.clone())?),
        };
        listen(output, tell);
        Ok((Self { pipe: Some(input), http }, heard))
    }

    /// The host says where it listens.
    pub(super) fn found(&mut self, address: &str) {
        if let Some(http) = &mut self.http {
            http.found(address);
        }
    }

    /// Sends commands. A host that is dead gets none of them; that it is dead shows when its output ends.
    pub(super) fn send(&mut self, commands: impl IntoIterator<Item = Command>) {
        for command in commands {
            match &mut self.http {
                Some(http) => http.send(command),
                None => self.write(&command),
            }
        }
    }

    /// Asks the host to finish and end.
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

/// The whole lines of a pipe, read on a thread of their own until it is closed.
fn listen(output: ChildStdout, tell: SyncSender<Heard>) {
    std::thread::spawn(move || {
        let mut output = BufReader::new(output);
        let mut text = String::new();
        // A line without its end is one the host died in: the client did not see it.
        while output.read_line(&mut text).is_ok_and(|bytes| bytes > 0) && text.ends_with('\n') {
            let Ok(line) = serde_json::from_str(&text) else { break };
            if tell.send(Heard::Line(line)).is_err() {
                return;
            }
            text.clear();
        }
        let _ = tell.send(Heard::Silence);
    });
}
