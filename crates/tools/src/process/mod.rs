//! Runs programs for tools.

mod capture;
mod shown;

use std::pin::pin;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::{FusedFuture as _, join3};
use tokio::io::AsyncWriteExt as _;
use tokio::process::ChildStdin;
use tokio::time::timeout;
use turnkit_core::ToolError;
use turnkit_core::ports::ToolContext;
use turnkit_files::run_blocking;
use turnkit_process::{LaunchSettings, ProcessGroup};

use capture::CapturedOutput;
pub(crate) use shown::shown;

/// The number of bytes kept from the beginning of a program's standard output.
const OUTPUT_BYTES: usize = 10 * 1024 * 1024;
/// The number of bytes kept from the end of its standard error.
const ERROR_BYTES: usize = 64 * 1024;
/// How long the streams of a program that has ended are still read. Only a process that has left the group can keep
/// them open.
const PIPE_TIMEOUT: Duration = Duration::from_secs(1);

/// The environment variable with the id of the call, which is the same on every attempt.
const CALL: &str = "TURNKIT_CALL";

/// The result of a program.
pub(crate) struct ProgramExit {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: CapturedOutput,
    pub(crate) stderr: CapturedOutput,
}

/// Runs a program until it ends, then kills all processes of its group; dropping the future kills them, too. Output past
/// the limits is read and dropped, so that the program neither blocks nor fills the memory. The last line of the output
/// is reported as progress.
pub(crate) async fn run(
    launch: &LaunchSettings,
    argv: &[String],
    stdin: Option<String>,
    context: ToolContext<'_>,
) -> Result<ProgramExit, ToolError> {
    let mut command = launch.command(argv);
    command.env(CALL, context.uid.to_string());
    if stdin.is_none() {
        command.stdin(Stdio::null());
    }
    let mut child = command.spawn().map_err(|error| cannot_start(argv, &error))?;
    // Declared after the child, so it is dropped first: the group is killed while its leader still owns the id.
    let group = ProcessGroup::of(&child);
    let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (mut stdout, mut stderr) = (CapturedOutput::first(OUTPUT_BYTES), CapturedOutput::last(ERROR_BYTES));
    let status = {
        let streams =
            join3(feed(input, stdin), stdout.read(output, context.progress), stderr.read(errors, context.progress));
        let mut streams = pin!(streams.fuse());
        let status = tokio::select! {
            status = child.wait() => status,
            _ = &mut streams => child.wait().await,
        };
        drop(group);
        if !streams.is_terminated() {
            _ = timeout(PIPE_TIMEOUT, streams).await;
        }
        status
    };
    let status = status.map_err(|error| ToolError::Failed(format!("waiting for the program failed: {error}")))?;
    Ok(ProgramExit { status, stdout, stderr })
}

/// Checks that a program exists, because a launcher would report a missing program as if the program had failed.
///
/// # Errors
/// The program does not exist.
pub(crate) async fn check_program(launch: &LaunchSettings, program: &str) -> Result<(), ToolError> {
    let (launch, name) = (launch.clone(), program.to_owned());
    match run_blocking(move || launch.has_program(&name)).await {
        Ok(false) => Err(ToolError::Failed(format!("the program `{program}` cannot be started: not found"))),
        // If this cannot be known, the start of the program tells.
        Ok(true) | Err(_) => Ok(()),
    }
}

impl ProgramExit {
    /// Returns all captured output of the program: standard output, then standard error.
    pub(crate) fn written(&self) -> String {
        let (stdout, stderr) = (self.stdout.text(), self.stderr.text());
        match (stdout.trim().is_empty(), stderr.trim().is_empty()) {
            (true, true) => "it wrote nothing".to_owned(),
            (false, true) => stdout,
            (true, false) => format!("[standard error]\n{stderr}"),
            (false, false) => format!("{}\n[standard error]\n{stderr}", stdout.trim_end_matches('\n')),
        }
    }

    /// Returns the last `max` characters of a failed program's output: of standard error, or of standard output if
    /// standard error is empty.
    pub(crate) fn output_tail(&self, max: usize) -> String {
        let stderr = self.stderr.text();
        let output = if stderr.trim().is_empty() { self.stdout.text() } else { stderr };
        let output = output.trim();
        let cut = output.chars().count().saturating_sub(max);
        let end: String = output.chars().skip(cut).collect();
        if end.is_empty() { "it wrote nothing".to_owned() } else { end }
    }
}

/// Writes the standard input. Ignores the error if the program stops reading.
async fn feed(input: Option<ChildStdin>, text: Option<String>) {
    if let (Some(mut input), Some(text)) = (input, text) {
        _ = input.write_all(text.as_bytes()).await;
    }
}

fn cannot_start(argv: &[String], error: &std::io::Error) -> ToolError {
    ToolError::Failed(format!("`{}` cannot be started: {error}", argv.first().map_or("", String::as_str)))
}
