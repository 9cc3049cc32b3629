//! Servers that are programs.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::process::{Child, ChildStdin, ChildStdout};
use turnkit_process::{LaunchSettings, ProcessGroup};

use crate::flood::MessageRate;
use crate::secrets::Secrets;
use crate::stderr_log::{LastLine, StderrLog};

/// A running server. Its processes are killed when it is dropped.
pub(crate) struct ServerProgram {
    // Before the child, so it is dropped first: the group is killed while its leader still owns the id.
    _group: ProcessGroup,
    _child: Child,
}

/// The standard streams of a server.
pub(crate) struct ServerPipes {
    pub(crate) input: ServerInput,
    pub(crate) output: ServerOutput,
    pub(crate) last_line: LastLine,
}

/// The standard input of a server. What is written to a program that has ended is dropped: the end of its output tells
/// that it has ended, together with its last line.
pub(crate) struct ServerInput(ChildStdin);

/// The standard output of a server. Reading it also logs the standard error. A line that is too long ends it, so that
/// no call waits for the message in it. So do too many messages at a time.
pub(crate) struct ServerOutput {
    stdout: ChildStdout,
    log: StderrLog,
    line: usize,
    longest_line: usize,
    rate: MessageRate,
    /// Whether the current line has more than white space.
    has_begun: bool,
}

impl ServerProgram {
    /// Starts a server. No line of its output may be longer than `longest_line`, in bytes. `secrets` are removed from
    /// its standard error.
    ///
    /// # Errors
    /// The program cannot be started. The error contains the reason.
    pub(crate) fn start(
        name: &Arc<str>,
        argv: &[String],
        launch: &LaunchSettings,
        secrets: Secrets,
        longest_line: usize,
    ) -> Result<(Self, ServerPipes), String> {
        let program = argv.first().map_or("", String::as_str);
        let failed = |why: &str| format!("`{program}` cannot be started: {why}");
        let mut child = launch.command(argv).spawn().map_err(|error| failed(&error.to_string()))?;
        let group = ProcessGroup::of(&child);
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(stdout), Some(stderr)) = pipes else { return Err(failed("it has no standard streams")) };
        let last_line = LastLine::default();
        let log = StderrLog::new(Arc::clone(name), secrets, stderr, last_line.clone());
        let rate = MessageRate::new();
        let output = ServerOutput { stdout, log, line: 0, longest_line, rate, has_begun: false };
        Ok((Self { _group: group, _child: child }, ServerPipes { input: ServerInput(input), output, last_line }))
    }
}

impl AsyncWrite for ServerInput {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match ready!(Pin::new(&mut self.0).poll_write(cx, bytes)) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Poll::Ready(Ok(bytes.len())),
            written => Poll::Ready(written),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

impl AsyncRead for ServerOutput {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let Self { stdout, log, line, longest_line, rate, has_begun } = &mut *self;
        log.poll(cx);
        let before = buffer.filled().len();
        ready!(Pin::new(stdout).poll_read(cx, buffer))?;
        if buffer.filled().len() == before {
            // The program may have written its last line and ended since the log was polled.
            log.poll(cx);
        }
        for piece in buffer.filled()[before..].split_inclusive(|byte| *byte == b'\n') {
            *line += piece.len();
            if *line > *longest_line {
                let why = format!("a server wrote a line of more than {longest_line} bytes");
                return Poll::Ready(Err(io::Error::new(io::ErrorKind::InvalidData, why)));
            }
            let first = piece.iter().find(|byte| !byte.is_ascii_whitespace());
            // Other lines are noise, which is ignored.
            if !*has_begun && first == Some(&b'{') {
                rate.count().map_err(|flood| io::Error::new(io::ErrorKind::InvalidData, flood))?;
            }
            *has_begun |= first.is_some();
            if piece.ends_with(b"\n") {
                (*line, *has_begun) = (0, false);
            }
        }
        Poll::Ready(Ok(()))
    }
}
