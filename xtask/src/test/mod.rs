//! `cargo xtask test`: every test of the repository, one runner after the other.

mod fixtures;
mod runner;
mod tally;

use std::io::{BufRead, BufReader, pipe};
use std::process::{Command as Process, Stdio};
use std::time::Instant;

use anyhow::Context;

use crate::{Command, Repository};
use fixtures::Fixtures;
use runner::{Runner, Selection};
use tally::Tally;

pub(crate) const COMMAND: Command = Command {
    name: "test",
    arguments: "[FILTER]",
    about: "every test: unit, integration, documentation, end to end; or those whose names hold FILTER",
    run,
};

/// The binary's own tests run it as it ships: optimised, with its default features.
const END_TO_END: &str = "turnkit-cli";

/// One run of one test runner.
struct Step {
    title: &'static str,
    process: Process,
}

fn run(repository: &Repository, filter: &[String]) -> anyhow::Result<bool> {
    let runner = Runner::find(repository);
    println!("{}", runner.describe());
    let fixtures = Fixtures::find(repository.root());
    println!("{}", fixtures.describe());

    let mut total = Tally::default();
    let mut all_content = true;
    let mut closing = Vec::new();
    for mut step in steps(repository, runner, &fixtures, filter) {
        println!("\n{}: {}", step.title, command_line(&step.process));
        fixtures.tell(&mut step.process);
        let start = Instant::now();
        let (tally, content) = follow(step.process).with_context(|| format!("cannot run {}", step.title))?;
        let broken = if content || tally.failed > 0 { "" } else { "; the runner itself failed, see above" };
        closing.push(format!("{}: {tally}, {:.0} s{broken}", step.title, start.elapsed().as_secs_f32()));
        total.add(tally);
        all_content &= content;
    }
    println!("\n{}\n{total}", closing.join("\n"));
    Ok(all_content)
}

fn steps(repository: &Repository, runner: Runner, fixtures: &Fixtures, filter: &[String]) -> Vec<Step> {
    let libraries = format!("--workspace --exclude {END_TO_END} --all-features");
    let libraries = Selection { packages: &libraries, profile: "dev", has_corpus: true, filter };
    let binary = format!("--package {END_TO_END}");
    let binary = Selection { packages: &binary, profile: "ci", has_corpus: false, filter };
    let mut steps = vec![
        Step { title: "library tests", process: runner.process(repository, &libraries, fixtures) },
        Step { title: "end-to-end tests", process: runner.process(repository, &binary, fixtures) },
    ];
    if runner.leaves_out_documentation() {
        let mut process = repository.cargo("test --doc --workspace --all-features --no-fail-fast");
        process.args(filter);
        steps.insert(1, Step { title: "documentation tests", process });
    }
    steps
}

/// Runs a test runner, passing on what it says and counting; gives whether it was content.
fn follow(mut process: Process) -> anyhow::Result<(Tally, bool)> {
    let (reader, writer) = pipe()?;
    let mut running = process.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer).spawn()?;
    drop(process); // it holds the writing end, and reading comes to its end only when nobody does

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
    std::iter::once("cargo".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}
