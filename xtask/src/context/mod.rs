//! `cargo xtask context`: compares the requests of a long session with those of LangGraph's packages for the same
//! session.

use std::fs;
use std::path::Path;
use std::process::Command as Process;

use anyhow::{Context, bail};

use crate::{Command, Repository};

pub(crate) const COMMAND: Command = Command {
    name: "context",
    arguments: "",
    about: "prints the table and the chart of docs/context.md; installs LangChain's packages into target/context with Python and pip",
    run,
};

const HELP: &str = "\
Usage: cargo xtask context

Sends a session of 200 turns through turnkit and through LangGraph's agents, with a model that answers from a script, and
prints what was sent and how much of it a prompt cache serves. Needs Python 3.10 with venv, and installs these packages and
what they depend on into target/context: ";

/// The packages to install.
const PACKAGES: [&str; 3] = ["langchain==1.4.7", "langgraph==1.2.22", "langmem==0.0.30"];

/// The test that writes the script and measures the requests.
const TEST: &str = "test --quiet --package turnkit-engine --test service -- --nocapture --exact \
                    comparing::a_session_of_200_turns_sends_a_fifth_of_what_sending_everything_does_and_nearly_all_of_it_from_the_cache";

/// The script that runs the session through LangGraph's agents.
const AGENTS: &str = "xtask/src/context/langgraph_turns.py";

fn run(repository: &Repository, arguments: &[String]) -> anyhow::Result<bool> {
    if !arguments.is_empty() {
        println!("{HELP}{}", PACKAGES.join(", "));
        return Ok(arguments.iter().all(|argument| matches!(argument.as_str(), "--help" | "-h")));
    }
    let folder = repository.root().join("target/context");
    let requests = folder.join("requests");
    if requests.exists() {
        fs::remove_dir_all(&requests).with_context(|| format!("cannot remove {}", requests.display()))?;
    }
    fs::create_dir_all(&requests).with_context(|| format!("cannot make {}", requests.display()))?;
    let python = installed(repository, &folder.join("python"))?;
    let mut test = repository.cargo(TEST);
    test.env("TURNKIT_CONTEXT_FOLDER", &requests);
    succeed(&mut test)?;
    let mut agents = repository.program(&python);
    agents.args(["-B", "-W", "ignore", AGENTS]).arg(requests.join("script.json")).arg(&requests);
    succeed(&mut agents)?;
    succeed(&mut test)?;
    Ok(true)
}

/// Installs the packages unless they are installed. Returns the Python that finds them.
fn installed(repository: &Repository, folder: &Path) -> anyhow::Result<std::path::PathBuf> {
    let python = folder.join("bin/python");
    let marker = folder.join("installed");
    let packages = PACKAGES.join("\n");
    if fs::read_to_string(&marker).is_ok_and(|installed| installed == packages) {
        return Ok(python);
    }
    succeed(repository.program("python3").args(["-m", "venv"]).arg(folder))?;
    succeed(repository.program(&python).args(["-m", "pip", "install", "--quiet"]).args(PACKAGES))?;
    fs::write(&marker, packages).with_context(|| format!("cannot write {}", marker.display()))?;
    Ok(python)
}

fn succeed(process: &mut Process) -> anyhow::Result<()> {
    let status = process.status().with_context(|| format!("cannot run {}", process.get_program().display()))?;
    if !status.success() {
        bail!("{} failed", process.get_program().display());
    }
    Ok(())
}
