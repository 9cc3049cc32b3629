//! `turnkit launch`: replaces this process with a program of a tool, and ends it together with its parent process.

use std::process::ExitCode;

#[cfg(target_os = "linux")]
use super::launch_group;
use crate::args::Launch;
use crate::failure::Failure;
#[cfg(target_os = "linux")]
use crate::sandbox::Sandbox;

#[cfg(target_os = "linux")]
pub(crate) fn run(launch: &Launch) -> Result<ExitCode, Failure> {
    use std::os::unix::process::CommandExt as _;
    use std::process::Command;

    if launch.group
        && let Some(parent) = launch_group::watched(launch.parent)
    {
        return launch_group::run(&parent, &launch.command);
    }
    end_with(launch.parent)?;
    if !launch.roots.is_empty() {
        let sandbox = Sandbox { roots: launch.roots.clone(), readable: launch.readable.clone() };
        sandbox.enter().map_err(|why| Failure::Failed(format!("there is no sandbox: {why}")))?;
    }
    let Some((program, arguments)) = launch.command.split_first() else {
        return Err(Failure::Usage("name a program".to_owned()));
    };
    let error = Command::new(program).args(arguments).exec();
    Err(Failure::Failed(format!("`{}` cannot be started: {error}", program.display())))
}

/// Requests that this process be killed when its parent ends, and checks that the parent has not ended before.
#[cfg(target_os = "linux")]
fn end_with(parent: i32) -> Result<(), Failure> {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};

    let set = set_parent_process_death_signal(Some(Signal::KILL));
    set.map_err(|error| Failure::Failed(format!("cannot end with its parent: {error}")))?;
    match getppid().is_some_and(|found| found.as_raw_nonzero().get() == parent) {
        true => Ok(()),
        false => Err(Failure::Failed("the process that started this has ended".to_owned())),
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn run(_: &Launch) -> Result<ExitCode, Failure> {
    Err(Failure::Usage("programs are started this way on Linux only".to_owned()))
}
