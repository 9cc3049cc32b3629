//! Runs of the program under the counting tools.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};

use anyhow::{Context, bail};
use serde::Deserialize;

use super::measures::{MEASURES, Run};
use super::unit::Unit;
use super::{callgrind, dhat, strace};
use crate::Repository;
use crate::system::from_package;

/// The cargo command that builds the program with the counted operations, in the same profile as the tests of the
/// binary.
const BUILD: &str = "build --profile ci --quiet --package turnkit-cli --bench costs --message-format json";

/// The number of runs in which system calls are counted; the smallest count is used. Which thread gets work first is
/// random, and waking another thread is a system call.
const TRIES: usize = 3;

/// One counted cost.
#[derive(Debug, Clone, Copy)]
pub(super) struct CostCount {
    pub(super) unit: Unit,
    /// The operation with this cost.
    pub(super) what: &'static str,
    pub(super) count: f64,
}

/// The counting tools.
pub(crate) struct Counters {
    valgrind: PathBuf,
    strace: PathBuf,
}

impl Counters {
    /// Finds the tools, and installs them if possible.
    ///
    /// # Errors
    /// A tool is missing and cannot be installed.
    pub(crate) fn find() -> anyhow::Result<Self> {
        let valgrind = from_package("valgrind", &["valgrind"], "it counts instructions, allocations and copies")?;
        let strace = from_package("strace", &["strace"], "it counts system calls")?;
        Ok(Self { valgrind, strace })
    }

    /// Counts all costs, ordered by unit.
    pub(super) fn count(&self, repository: &Repository) -> anyhow::Result<Vec<CostCount>> {
        let program = build(repository)?;
        // Some runs belong to two measures.
        let runs: BTreeSet<Run> = MEASURES.iter().flat_map(|measure| [measure.less, measure.more]).collect();
        let count = |run| Ok((run, self.run(run, &program).with_context(|| format!("cannot count {run:?}"))?));
        let runs: &BTreeMap<Run, _> = &runs.into_iter().map(count).collect::<anyhow::Result<_>>()?;
        let counted = |unit| {
            MEASURES.iter().filter_map(move |measure| {
                let less = runs.get(&measure.less)?.get(&unit)?;
                let more = runs.get(&measure.more)?.get(&unit)?;
                Some(CostCount { unit, what: measure.what, count: (more - less) / f64::from(measure.times) })
            })
        };
        Ok(Unit::ALL.into_iter().flat_map(counted).collect())
    }

    /// Counts the costs of a whole run.
    fn run(&self, run: Run, program: &Path) -> anyhow::Result<BTreeMap<Unit, f64>> {
        let file = program.with_extension("counts");
        let file = file.to_str().context("the path of the target directory is not text")?;
        let under = |counter: &Path, words: Vec<String>| {
            execute(&mut process(run, program, counter, &words))?;
            fs::read_to_string(file).with_context(|| format!("{} wrote no counts", counter.display()))
        };
        let profile = callgrind::read(&under(&self.valgrind, callgrind::words(file))?)?;
        let mut counts = BTreeMap::from([
            (Unit::Instructions, profile.instructions),
            (Unit::Allocations, profile.allocations),
            (Unit::BytesCopied, dhat::read(&under(&self.valgrind, dhat::words(file))?)?),
        ]);
        if matches!(run, Run::Turns(..)) {
            for _ in 0..TRIES {
                let calls = strace::read(&under(&self.strace, strace::words(file))?)?;
                counts.entry(Unit::SystemCalls).and_modify(|fewest| *fewest = calls.min(*fewest)).or_insert(calls);
            }
        }
        Ok(counts.into_iter().map(|(unit, count)| (unit, count as f64)).collect())
    }
}

/// Returns the process of a run. An operation runs under the counting tool directly; for turns, the server does.
fn process(run: Run, program: &Path, counter: &Path, words: &[String]) -> Process {
    match run {
        Run::Piece(name, count) => {
            let mut process = Process::new(counter);
            process.args(words).arg(program).args([name, &count.to_string()]);
            process
        }
        Run::Turns(count, kind) => {
            let mut process = Process::new(program);
            process.args(["turns", &count.to_string(), kind]).arg(counter).args(words);
            process
        }
    }
}

fn execute(process: &mut Process) -> anyhow::Result<()> {
    let output = process.stdin(Stdio::null()).output()?;
    if !output.status.success() {
        bail!("{process:?} failed:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

/// A line of cargo's output about a built artifact.
#[derive(Deserialize)]
struct ArtifactMessage {
    executable: Option<PathBuf>,
    #[serde(default)]
    target: Target,
}

#[derive(Default, Deserialize)]
struct Target {
    name: String,
}

/// Builds the program and the binary. Returns the path of the program.
fn build(repository: &Repository) -> anyhow::Result<PathBuf> {
    let output = repository.cargo(BUILD).stderr(Stdio::inherit()).output().context("cannot run cargo")?;
    if !output.status.success() {
        bail!("`cargo {BUILD}` failed: see above");
    }
    let lines = String::from_utf8(output.stdout)?;
    let built = lines.lines().filter_map(|line| serde_json::from_str::<ArtifactMessage>(line).ok());
    let program = built.filter(|built| built.target.name == "costs").find_map(|built| built.executable);
    program.context("cargo does not say where the program is")
}
