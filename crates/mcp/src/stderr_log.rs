//! The standard error of a server, as lines of the log.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead as _, ReadBuf};
use tokio::process::ChildStderr;
use tokio::time::Instant;

use crate::secrets::Secrets;

/// The number of bytes of a line that are kept.
const LINE_BYTES: usize = 2 * 1024;
/// The number of lines per second that are logged. Others are counted.
const LINES_PER_SECOND: u32 = 20;

/// Logs what a server writes to its standard error, within bounds. The reader of the server's output polls it.
pub(crate) struct StderrLog {
    name: Arc<str>,
    secrets: Secrets,
    stderr: ChildStderr,
    has_ended: bool,
    /// The beginning of the current line.
    line: Vec<u8>,
    /// The current second, and the number of its lines.
    second: (Instant, u32),
    last: LastLine,
}

/// The last line that a server has written to its standard error.
#[derive(Clone, Default)]
pub(crate) struct LastLine(Arc<Mutex<String>>);

impl LastLine {
    /// Returns the line as the end of a sentence; nothing if the server wrote none.
    pub(crate) fn as_remark(&self) -> String {
        let line = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if line.is_empty() { String::new() } else { format!("; it last wrote: {line}") }
    }
}

impl StderrLog {
    /// Creates the log of the server with this name. It does not contain these credentials.
    pub(crate) fn new(name: Arc<str>, secrets: Secrets, stderr: ChildStderr, last: LastLine) -> Self {
        Self { name, secrets, stderr, has_ended: false, line: Vec::new(), second: (Instant::now(), 0), last }
    }

    /// Logs what has been written, and wakes the task when there is more.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) {
        let mut bytes = [0; 1024];
        while !self.has_ended {
            let mut read = ReadBuf::new(&mut bytes);
            match Pin::new(&mut self.stderr).poll_read(cx, &mut read) {
                Poll::Pending => return,
                Poll::Ready(Ok(())) if !read.filled().is_empty() => self.take(read.filled()),
                Poll::Ready(_) => {
                    self.end_line();
                    self.has_ended = true;
                }
            }
        }
    }

    fn take(&mut self, mut bytes: &[u8]) {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            let (line, rest) = bytes.split_at(end);
            self.keep(line);
            self.end_line();
            bytes = &rest[1..];
        }
        self.keep(bytes);
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = LINE_BYTES.saturating_sub(self.line.len()).min(bytes.len());
        self.line.extend_from_slice(&bytes[..room]);
    }

    fn end_line(&mut self) {
        let line = self.secrets.removed(String::from_utf8_lossy(&self.line));
        let shown = match self.line.len() < LINE_BYTES {
            true => &*line,
            // A character of several bytes may have been cut.
            false => self.secrets.without_begun(line.trim_end_matches('\u{fffd}')),
        };
        let line = self.secrets.line(shown, LINE_BYTES);
        self.line.clear();
        if line.is_empty() {
            return;
        }
        let (second, lines) = &mut self.second;
        if second.elapsed() >= Duration::from_secs(1) {
            if *lines > LINES_PER_SECOND {
                let left_out = *lines - LINES_PER_SECOND;
                tracing::info!(server = &*self.name, left_out, "lines of a server's standard error were left out");
            }
            (*second, *lines) = (Instant::now(), 0);
        }
        *lines = lines.saturating_add(1);
        if *lines <= LINES_PER_SECOND {
            tracing::info!(server = &*self.name, line, "a server wrote to standard error");
        }
        *self.last.0.lock().unwrap_or_else(PoisonError::into_inner) = line;
    }
}
