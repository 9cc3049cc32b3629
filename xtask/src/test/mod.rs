//! `cargo xtask test`: runs every test of the repository, one runner after another.

mod clients;
mod fixtures;
mod mcp;
mod page;
mod runner;
mod tally;

use std::io::{BufRead, BufReader, pipe};
use std::path::Path;
use std::process::{Command as Process, Stdio};
use std::time::Instant;

use anyhow::Context;

use crate::costs::Gate;
use crate::{Command, Repository};
use clients::Clients;
use fixtures::Fixtures;
use mcp::McpPackages;
use page::Page;
use runner::{Runner, Selection};
use tally::Tally;

pub(crate) const COMMAND: Command = Command {
    name: "test",
    arguments: "[FILTER]",
    about: "every test: unit, integration, documentation, end to end; or those whose names hold FILTER",
    run,
};

/// The package of the binary. Its tests run the binary as it is released: optimised, with the default features.
const END_TO_END: &str = "turnkit-cli";

/// What some tests need besides the repository.
struct Requirements {
    fixtures: Fixtures,
    clients: Clients,
    mcp: McpPackages,
}

/// One run of one test runner.
struct Step {
    title: &'static str,
    process: Process,
}

fn run(repository: &Repository, filter: &[String]) -> anyhow::Result<bool> {
    let runner = Runner::find(repository);
    println!("{}", runner.describe());
    let requirements = Requirements::find(repository)?;
    // A run with selected tests neither tests the page nor compares costs.
    let page = filter.is_empty().then(|| Page::find(repository, &requirements.clients)).transpose()?;
    if let Some(page) = &page {
        println!("{}", page.describe());
    }
    let gate = filter.is_empty().then(|| Gate::find(repository)).transpose()?;
    if let Some(gate) = &gate {
        println!("{}", gate.describe());
    }

    let mut total = Tally::default();
    let mut all_content = true;
    let mut closing = Vec::new();
    let mut all_steps = steps(repository, runner, &requirements, filter);
    if let Some(page) = &page {
        all_steps.extend(page.steps(repository)?);
    }
    for mut step in all_steps {
        println!("\n{}: {}", step.title, command_line(&step.process));
        requirements.set_env(&mut step.process)?;
        let start = Instant::now();
        let (tally, content) = follow(step.process).with_context(|| format!("cannot run {}", step.title))?;
        let broken = if content || tally.failed > 0 { "" } else { "; the runner itself failed, see above" };
        closing.push(format!("{}: {tally}, {:.0} s{broken}", step.title, start.elapsed().as_secs_f32()));
        total.add(tally);
        all_content &= content;
    }
    if let Some(gate) = &gate {
        let (line, content) = costs(repository, gate)?;
        closing.push(line);
        all_content &= content;
    }
    println!("\n{}\n{total}", closing.join("\n"));
    Ok(all_content)
}

/// Compares costs with the record. Returns a line about the result, and whether no cost grew.
fn costs(repository: &Repository, gate: &Gate) -> anyhow::Result<(String, bool)> {
    let start = Instant::now();
    println!("\ncosts: cargo xtask costs");
    let Some(judgement) = gate.judge(repository).context("cannot count costs")? else {
        return Ok((gate.describe(), true));
    };
    print!("{judgement}");
    let line = format!("costs: {}, {:.0} s", judgement.summary(), start.elapsed().as_secs_f32());
    Ok((line, judgement.passed()))
}

fn steps(repository: &Repository, runner: Runner, requirements: &Requirements, filter: &[String]) -> Vec<Step> {
    let libraries = Selection {
        packages: &format!("--workspace --exclude {END_TO_END} --all-features"),
        profile: "dev",
        left_out: requirements.fixtures.left_out().into_iter().collect(),
        filter,
    };
    let binary = Selection {
        packages: &format!("--package {END_TO_END}"),
        profile: "ci",
        left_out: requirements.clients.left_out().chain(requirements.mcp.left_out()).collect(),
        filter,
    };
    let mut steps = vec![
        Step { title: "library tests", process: runner.process(repository, &libraries) },
        Step { title: "end-to-end tests", process: runner.process(repository, &binary) },
    ];
    if runner.leaves_out_documentation() {
        let mut process = repository.cargo("test --doc --workspace --all-features --no-fail-fast");
        process.args(filter);
        steps.insert(1, Step { title: "documentation tests", process });
    }
    steps
}

impl Requirements {
    /// Finds them, and prints what was found and what is missing.
    fn find(repository: &Repository) -> anyhow::Result<Self> {
        let fixtures = Fixtures::find(repository.root())?;
        println!("{}", fixtures.describe());
        let clients = Clients::find()?;
        println!("{}", clients.describe());
        let mcp = McpPackages::find(repository.root())?;
        println!("{}", mcp.describe());
        Ok(Self { fixtures, clients, mcp })
    }

    /// Passes what was found to a test runner.
    fn set_env(&self, process: &mut Process) -> anyhow::Result<()> {
        self.fixtures.set_env(process);
        self.mcp.set_env(process);
        self.clients.set_env(process)
    }
}

/// Runs a test runner, passes its output on and counts the tests. Returns the counts, and whether the runner succeeded.
fn follow(mut process: Process) -> anyhow::Result<(Tally, bool)> {
    let (reader, writer) = pipe()?;
    let mut running = process.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer).spawn()?;
    drop(process); // it holds the write end, and reading ends only when all write ends are closed

    let mut tally = Tally::default();
    for line in BufReader::new(reader).lines() {
        let line = line?;
        println!("{line}");
        tally.add(Tally::read(&line).unwrap_or_default());
    }
    Ok((tally, running.wait()?.success()))
}

fn command_line(process: &Process) -> String {
    let words = process.get_args().map(|word| word.to_string_lossy().into_owned());
    let program = Path::new(process.get_program()).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    std::iter::once(program).chain(words).collect::<Vec<_>>().join(" ")
}
