//! `cargo xtask check`: runs all automatic checks of the repository except its tests.

mod api;
mod behaviours;
mod cargo;
mod conflicts;
mod cycles;
mod functions;
mod glossary;
mod layers;
mod modules;
mod package;
mod places;
mod sizes;
mod tools;
mod words;

use std::process::Command as Process;
use std::time::Instant;

use anyhow::{Context, bail};

use crate::{Command, Repository};

pub(crate) const COMMAND: Command = Command {
    name: "check",
    arguments: "[NAME]",
    about: "formatting, lints, documentation, layers, sizes, licences, spelling; one of them by its name",
    run,
};

/// The checks, quick ones first. A new check needs one function, and one line here.
const CHECKS: &[Check] = &[
    Check { name: "format", run: cargo::format },
    Check { name: "conflicts", run: conflicts::check },
    Check { name: "sizes", run: sizes::check },
    Check { name: "places", run: places::check },
    Check { name: "behaviours", run: behaviours::check },
    Check { name: "layers", run: layers::check },
    Check { name: "glossary", run: glossary::check },
    Check { name: "words", run: words::check },
    Check { name: "package", run: package::check },
    Check { name: "spelling", run: tools::spelling },
    Check { name: "unused", run: tools::unused },
    Check { name: "deny", run: tools::deny },
    Check { name: "clippy", run: cargo::clippy },
    Check { name: "rustdoc", run: cargo::rustdoc },
    Check { name: "api", run: api::check },
];

/// A check.
struct Check {
    name: &'static str,
    run: fn(&Repository) -> anyhow::Result<Outcome>,
}

/// The result of a check.
enum Outcome {
    /// No problems, with a description of what was checked.
    Passed(String),
    /// The problems, one per entry.
    Failed(Vec<String>),
}

impl Outcome {
    /// Returns `Passed` if there are no problems.
    fn new(problems: Vec<String>, looked_at: String) -> Self {
        if problems.is_empty() { Self::Passed(looked_at) } else { Self::Failed(problems) }
    }
}

fn run(repository: &Repository, arguments: &[String]) -> anyhow::Result<bool> {
    let chosen: Vec<&Check> = match arguments {
        [] => CHECKS.iter().collect(),
        [name] => vec![CHECKS.iter().find(|check| check.name == name).with_context(|| {
            let names: Vec<&str> = CHECKS.iter().map(|check| check.name).collect();
            format!("there is no check `{name}`; the checks are {}", names.join(", "))
        })?],
        _ => bail!("expected the name of one check"),
    };
    let failed = chosen.iter().filter(|check| !report(check, repository)).count();
    if failed > 0 {
        println!("{failed} of {} checks failed", chosen.len());
    }
    Ok(failed == 0)
}

/// Runs a check and prints its result. Returns `true` if it passed.
fn report(check: &Check, repository: &Repository) -> bool {
    let start = Instant::now();
    let outcome = (check.run)(repository).unwrap_or_else(|error| Outcome::Failed(vec![format!("{error:#}")]));
    let seconds = start.elapsed().as_secs_f32();
    match outcome {
        Outcome::Passed(looked_at) => {
            println!("ok   {} ({looked_at}) {seconds:.1} s", check.name);
            true
        }
        Outcome::Failed(problems) => {
            println!("FAIL {} {seconds:.1} s", check.name);
            for line in problems.iter().flat_map(|problem| problem.lines()) {
                println!("     {line}");
            }
            false
        }
    }
}

/// Runs a program whose exit code reports success, and whose output describes the problems.
fn judge(process: &mut Process, looked_at: &str) -> anyhow::Result<Outcome> {
    let output = process.output().with_context(|| format!("cannot run {}", process.get_program().display()))?;
    if output.status.success() {
        return Ok(Outcome::Passed(looked_at.to_owned()));
    }
    let text = [output.stdout, output.stderr].concat();
    Ok(Outcome::Failed(vec![String::from_utf8_lossy(&text).into_owned()]))
}
