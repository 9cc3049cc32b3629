//! `cargo xtask chaos`: kills the server wherever it can hurt, and judges what is left.

use anyhow::Context;

use crate::{Command, Repository};

pub(crate) const COMMAND: Command = Command {
    name: "chaos",
    arguments: "[OPTIONS]",
    about: "kills a server at each point in turn and checks what it leaves; --kills N, --seed S",
    run,
};

/// Runs the kill harness of the testkit, optimised, with its arguments as they are.
fn run(repository: &Repository, arguments: &[String]) -> anyhow::Result<bool> {
    let words =
        "run --profile ci --quiet --package turnkit-testkit --features kill-host --bin turnkit-kill-host -- chaos";
    let status = repository.cargo(words).args(arguments).status().context("cannot run cargo")?;
    Ok(status.success())
}
