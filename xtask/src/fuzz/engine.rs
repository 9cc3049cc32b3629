//! libFuzzer, on a stable toolchain. The compiler counts which edges of the code an input takes, and libFuzzer keeps
//! inputs that take new edges.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};

use anyhow::{Context, ensure};

use crate::Repository;
use crate::system::{on_path, run};

/// The compiler flags for counting edges. Addresses are not checked, because the code has no `unsafe`.
const FLAGS: [&str; 7] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
    "--cfg=fuzzing",
];
/// The limits: the length of an input in bytes, its time in seconds, and the memory of the target in MiB.
const BOUNDS: [&str; 3] = ["-max_len=16384", "-timeout=10", "-rss_limit_mb=512"];

/// The built targets.
pub(super) struct Engine {
    programs: PathBuf,
    /// The folder of the inputs.
    folder: PathBuf,
}

/// The result of a run of a target.
#[derive(Debug, Default, PartialEq)]
pub(super) struct RunResult {
    pub(super) tried: u64,
    pub(super) per_second: u64,
    /// The number of edges of the code that inputs took.
    pub(super) reached: u64,
    /// The input that violated an invariant.
    pub(super) broken: Option<PathBuf>,
}

impl Engine {
    pub(super) fn build(repository: &Repository) -> anyhow::Result<Self> {
        ensure!(on_path(&["c++", "g++", "clang++"]).is_some(), "libFuzzer needs a C++ compiler, and none is on PATH");
        let folder = repository.root().join("target/fuzz");
        let host = run("rustc", &["-vV".into()])?;
        let host = host.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc does not say its host")?;
        // If a target is given, programs of the build itself are not instrumented.
        let mut build = repository.cargo("build --release --locked --manifest-path fuzz/Cargo.toml --target");
        build.arg(host).arg("--target-dir").arg(&folder).env("RUSTFLAGS", FLAGS.join(" "));
        ensure!(build.status().context("cannot run cargo")?.success(), "the targets cannot be built");
        Ok(Self { programs: folder.join(host).join("release"), folder })
    }

    /// Runs a target for this many seconds.
    pub(super) fn fuzz(&self, target: &str, seeds: &[PathBuf], seconds: u32) -> anyhow::Result<RunResult> {
        let corpus = self.folder.join("corpus").join(target);
        let artifacts = self.folder.join("broken").join(target);
        for folder in [&corpus, &artifacts] {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        }
        let mut process = Process::new(self.programs.join(target));
        process.arg(format!("-max_total_time={seconds}")).arg(format!("-artifact_prefix={}/", artifacts.display()));
        process.args(["-print_final_stats=1", "-verbosity=1"]).args(BOUNDS).arg(corpus).args(seeds);
        println!("{target}: {seconds} seconds");
        follow(process)
    }

    /// Runs one input. Returns `true` if it passes.
    pub(super) fn run_input(&self, target: &str, input: &Path) -> anyhow::Result<bool> {
        let mut process = Process::new(self.programs.join(target));
        let status = process.args(BOUNDS).arg(input).status().with_context(|| format!("cannot run {target}"))?;
        Ok(status.success())
    }
}

/// Runs a target. Passes its output on only from where an input fails.
fn follow(mut process: Process) -> anyhow::Result<RunResult> {
    let mut running = process.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().context("cannot run the target")?;
    let mut found = RunResult::default();
    let mut last = Vec::new();
    for line in BufReader::new(running.stderr.take().context("no output")?).split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        found.read(&line);
        // The normal output of libFuzzer begins with a number.
        if !line.starts_with(['#', '\t']) {
            last.push(line);
        }
    }
    let passed = running.wait()?.success();
    if !passed {
        last.iter().for_each(|line| println!("{line}"));
        ensure!(found.broken.is_some(), "the target failed without naming an input; see above");
    }
    Ok(found)
}

impl RunResult {
    fn read(&mut self, line: &str) {
        let number = |text: &str| text.trim().parse::<u64>().ok();
        if let Some(tried) = line.strip_prefix("stat::number_of_executed_units:") {
            self.tried = number(tried).unwrap_or_default();
        } else if let Some(rate) = line.strip_prefix("stat::average_exec_per_sec:") {
            self.per_second = number(rate).unwrap_or_default();
        } else if let Some((_, input)) = line.split_once("Test unit written to ") {
            self.broken = Some(PathBuf::from(input.trim()));
        } else if let Some((_, rest)) = line.split_once(" cov: ") {
            self.reached = rest.split(' ').next().and_then(number).unwrap_or(self.reached);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_of_libfuzzer_is_parsed() {
        let mut found = RunResult::default();
        for line in [
            "#12 REDUCE cov: 812 ft: 1300 corp: 3/20b exec/s: 0 rss: 40Mb",
            "artifact_prefix='x/'; Test unit written to x/crash-1",
            "stat::number_of_executed_units: 120",
            "stat::average_exec_per_sec:     60",
        ] {
            found.read(line);
        }
        let broken = Some(PathBuf::from("x/crash-1"));
        assert_eq!(found, RunResult { tried: 120, per_second: 60, reached: 812, broken });
    }
}
