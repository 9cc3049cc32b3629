//! A process that stays beside a program, to kill its process group when the parent ends.
//!
//! A signal at the end of the parent reaches the program only. Processes that it has started would be left.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::process::{Command, ExitCode, ExitStatus};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::retry_on_intr;
use rustix::process::{Pid, PidfdFlags, Signal, getpgrp, getpid, getppid, kill_process_group, pidfd_open};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};

use crate::failure::Failure;

/// Opens the parent process, to wait for its end. Returns `None` if it has ended, if the kernel cannot wait for it, or
/// if this process does not lead its process group, which is then not its own to kill.
pub(super) fn watched(parent: i32) -> Option<OwnedFd> {
    let id = Pid::from_raw(parent)?;
    let watched = pidfd_open(id, PidfdFlags::empty()).ok()?;
    // After the id was opened, because another process may have got the id of one that has ended.
    (getppid() == Some(id) && getpgrp() == getpid()).then_some(watched)
}

/// Runs a program until it ends. If the parent ends first, all processes of this group are killed.
pub(super) fn run(parent: &OwnedFd, command: &[OsString]) -> Result<ExitCode, Failure> {
    let status = status(parent, command);
    let status = status.map_err(|error| Failure::Failed(format!("the program cannot be run: {error}")))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

fn status(parent: &OwnedFd, command: &[OsString]) -> io::Result<ExitStatus> {
    // The program ends with this process too.
    let launcher = ["launch", "--parent", &std::process::id().to_string(), "--"];
    let mut program = Command::new("/proc/self/exe").args(launcher).args(command).spawn()?;
    // If this process held the pipes of the program, their other ends would not see the program close them.
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    dup2_stderr(&nothing)?;
    let watched = pidfd_open(Pid::from_child(&program), PidfdFlags::empty())?;
    let mut ends = [PollFd::new(parent, PollFlags::IN), PollFd::new(&watched, PollFlags::IN)];
    retry_on_intr(|| poll(&mut ends, None))?;
    if !ends[0].revents().is_empty() {
        kill_process_group(getpgrp(), Signal::KILL)?;
    }
    program.wait()
}
