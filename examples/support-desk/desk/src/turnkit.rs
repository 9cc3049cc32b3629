//! The turnkit program.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tokio::process::Command;

use crate::arguments::Arguments;
use crate::environment::Environment;

/// Returns the command that serves the agent of the desk.
pub(crate) fn command(arguments: &Arguments, environment: &Environment) -> anyhow::Result<Command> {
    let program = match &arguments.turnkit {
        Some(program) => program.clone(),
        None => beside_this_program()?,
    };
    let mut command = Command::new(program);
    command.arg("serve").arg("--listen").arg(arguments.listen.to_string());
    command.arg("--config").arg(arguments.configuration());
    command.arg("--data").arg(arguments.data.join("turnkit"));
    command.envs(environment.variables());
    Ok(command)
}

/// Finds the program in the folders that cargo builds into: that of this profile first, then the others.
fn beside_this_program() -> anyhow::Result<PathBuf> {
    let this = env::current_exe().context("cannot find the folder of this program; use --turnkit PATH")?;
    let folder = this.parent().unwrap_or(Path::new("."));
    let name = format!("turnkit{}", env::consts::EXE_SUFFIX);
    let candidates = [folder.join(&name), folder.join("../release").join(&name), folder.join("../debug").join(&name)];
    match candidates.into_iter().find(|candidate| candidate.is_file()) {
        Some(program) => Ok(program),
        None => bail!("there is no {name} in {}: build it with `cargo build`, or use --turnkit PATH", folder.display()),
    }
}
