//! libFuzzer, on a stable toolchain: the compiler counts which edges of the code an input takes, and libFuzzer keeps
//! those that take new ones.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};

use anyhow::{Context, ensure};

use crate::Repository;
use crate::system::{on_path, run};

/// What makes the compiler count. Addresses are not checked: the code has nothing `unsafe`.
const FLAGS: [&str; 7] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
    "--cfg=fuzzing",
];
/// The longest input, in bytes; how long one may take, in seconds; and how much memory the target, in MiB.
const BOUNDS: [&str; 3] = ["-max_len=16384", "-timeout=10", "-rss_limit_mb=512"];

/// The targets, built.
pub(super) struct Engine {
    programs: PathBuf,
    /// Where inputs are kept.
    folder: PathBuf,
}

/// What a run of a target came to.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Found {
    pub(super) tried: u64,
    pub(super) per_second: u64,
    /// How many edges of the code inputs took.
    pub(super) reached: u64,
    /// The input that broke a law.
    pub(super) broken: Option<PathBuf>,
}

impl Engine {
    pub(super) fn build(repository: &Repository) -> anyhow::Result<Self> {
        ensure!(on_path(&["c++", "g++", "clang++"]).is_some(), "libFuzzer needs a C++ compiler, and none is on PATH");
        let folder = repository.root().join("target/fuzz");
        let host = run("rustc", &["-vV".into()])?;
        let host = host.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc does not say its host")?;
        // With a target named, what the build itself runs is not counted.
        let mut build = repository.cargo("build --release --locked --manifest-path fuzz/Cargo.toml --target");
        build.arg(host).arg("--target-dir").arg(&folder).env("RUSTFLAGS", FLAGS.join(" "));
        ensure!(build.status().context("cannot run cargo")?.success(), "the targets cannot be built");
        Ok(Self { programs: folder.join(host).join("release"), folder })
    }

    /// Runs a target for so long.
    pub(super) fn fuzz(&self, target: &str, seeds: &[PathBuf], seconds: u32) -> anyhow::Result<Found> {
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

    /// Tries one input; gives whether it holds.
    pub(super) fn again(&self, target: &str, input: &Path) -> anyhow::Result<bool> {
        let mut process = Process::new(self.programs.join(target));
        let status = process.args(BOUNDS).arg(input).status().with_context(|| format!("cannot run {target}"))?;
        Ok(status.success())
    }
}

/// Runs a target; what it says is passed on only from where an input breaks a law.
fn follow(mut process: Process) -> anyhow::Result<Found> {
    let mut running = process.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().context("cannot run the target")?;
    let mut found = Found::default();
    let mut last = Vec::new();
    for line in BufReader::new(running.stderr.take().context("no output")?).split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        found.read(&line);
        // What libFuzzer says while all is well begins with a number.
        if !line.starts_with(['#', '\t']) {
            last.push(line);
        }
    }
    let held = running.wait()?.success();
    if !held {
        last.iter().for_each(|line| println!("{line}"));
        ensure!(found.broken.is_some(), "the target failed, and named no input: see above");
    }
    Ok(found)
}

impl Found {
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
    fn what_libfuzzer_says_is_read() {
        let mut found = Found::default();
        for line in [
            "#12 REDUCE cov: 812 ft: 1300 corp: 3/20b exec/s: 0 rss: 40Mb",
            "artifact_prefix='x/'; Test unit written to x/crash-1",
            "stat::number_of_executed_units: 120",
            "stat::average_exec_per_sec:     60",
        ] {
            found.read(line);
        }
        let broken = Some(PathBuf::from("x/crash-1"));
        assert_eq!(found, Found { tried: 120, per_second: 60, reached: 812, broken });
    }
}
