//! `cargo xtask costs`: counts the costs of the hot paths, and compares them with the record.
//!
//! It counts instructions, allocations, copied bytes and system calls, never time: the same code gives the same counts
//! on a slow or busy machine.

mod callgrind;
mod counting;
mod dhat;
mod gate;
mod judgement;
mod measures;
mod page;
mod record;
mod strace;
mod unit;

use anyhow::bail;

use crate::{Command, Repository};
use counting::Counters;
pub(crate) use gate::Gate;
use judgement::Judgement;
use record::{FILE, Machine, Record};

pub(crate) const COMMAND: Command = Command {
    name: "costs",
    arguments: "[--accept]",
    about: "counts what turns do, never how long they take, and fails if a count grew; `--accept` writes costs.toml",
    run,
};

const HELP: &str = "\
Usage: cargo xtask costs [--accept]

Counts what a token, a transaction and a turn cost in instructions, allocations, copied bytes and system calls, and
compares the counts with costs.toml. A count that grew by more than its tolerance is an error.

  --accept  write the counts to costs.toml, keeping the tolerances there, and to docs/performance.md";

fn run(repository: &Repository, arguments: &[String]) -> anyhow::Result<bool> {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => {
            let gate = Gate::find(repository)?;
            let Some(judgement) = gate.judge(repository)? else { bail!("{}", gate.describe()) };
            print!("{judgement}");
            Ok(judgement.passed())
        }
        ["--accept"] => {
            accept(repository)?;
            Ok(true)
        }
        ["--help" | "-h"] => {
            println!("{HELP}");
            Ok(true)
        }
        _ => bail!("expected nothing, or --accept"),
    }
}

/// Writes the new counts to the record, and prints what changes.
fn accept(repository: &Repository) -> anyhow::Result<()> {
    let known = Record::read(repository.root())?.unwrap_or_default();
    let counted = Counters::find()?.count(repository)?;
    for line in Judgement::new(&known, &counted).counts() {
        println!("{line}");
    }
    let accepted = known.accept(&counted, Machine::this()?);
    accepted.write(repository.root())?;
    page::write(repository.root(), &accepted)?;
    println!("{FILE} and {} hold these counts now", page::PAGE);
    Ok(())
}
