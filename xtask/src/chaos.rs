//! `cargo xtask chaos`: runs all trials that break a server on purpose, any number of times.

use std::io::{BufRead, BufReader};
use std::process::{Command as Process, Stdio};
use std::time::Instant;

use anyhow::Context;

use crate::{Command, Repository};

pub(crate) const COMMAND: Command = Command {
    name: "chaos",
    arguments: "[OPTIONS]",
    about: "kills a server at each point in turn and checks the state that it leaves; `--full` runs every trial at its full size",
    run,
};

const HELP: &str = "\
Usage: cargo xtask chaos [--kills N] [--over pipes|http] [--crash-loop|--waits] [--seed S] [--mutant NAME]
       cargo xtask chaos --full

Without --full, hosts are killed with `kill -9` at each crash point in turn, and every guarantee is checked against the
events that clients received, the database, the effects of tools, and the requests to the model.

  --kills N      how often to kill, at least [default: 60]
  --over WAY     how clients reach the host [default: pipes]
                   pipes  lines over its pipes: nothing between client and service
                   http   requests to a server, resumed by cursor
  --crash-loop   kill each host soon after its start, again and again; no turn may be given up for it
  --waits        kill hosts while turns wait for a person or a sub-agent, at each point of these in turn: open
                 interactions are listed after each start, and decisions are kept and take effect once
  --seed S       the seed of the first trial; a failed trial prints its own [default: 0]
  --mutant NAME  plant a bug, to see it found: no-fence, effect-first; with --waits: answer-first

With --full, each of these runs at its full size, which takes about half an hour, and a table says what they counted:

  kills                   1,000 kills over pipes, 1,000 over HTTP
  kills while turns wait  240 kills over pipes, 240 over HTTP: 40 at each of six points
  crash loops             1,000 kills, each soon after the start of a host
  leave and come back     at every event of 200 turns, while they run and after a restart
  come back after a kill  with every cursor of 50 killed turns
  one key at once         1,000 keys, each sent 8 times at the same time
  one session at once     64 messages to each of 100 sessions
  cancel anywhere         500 turns
  leave for good          500 readers
  stalled readers         1,000, beside 100 that read
  idle streams            9,500, opened and closed 40 times
  overload                5,000 turns that run, 1,000 that wait, 1,000 more
  give up streams         10,000 streams; every gauge is at 0 within 100 ms of the last";

/// The prefix of a line with the result of a trial.
const MARK: &str = "trial: ";

/// The command of the kill harness.
const KILLS: &str =
    "run --profile ci --quiet --package turnkit-testkit --features kill-host --bin turnkit-kill-host -- chaos";

/// The command of the server trials.
const TRIALS: &str = "test --profile ci --quiet --package turnkit-server --test trials -- --nocapture --test-threads 1";

/// The command of the trials that measure the binary, one at a time.
const CROWDS: &str = "test --profile ci --quiet --package turnkit-cli --test clients -- --nocapture --test-threads 1 idle:: stalled:: killed:: overload::";

/// The command of the trial that measures how soon the binary releases abandoned streams.
const ABANDONED: &str = "test --profile ci --quiet --package turnkit-cli --test terminal -- --nocapture abandoned::";

/// All trials at full size: a command, and additional arguments.
const FULL: [(&str, &[&str]); 8] = [
    (KILLS, &["--kills", "1000"]),
    (KILLS, &["--kills", "1000", "--over", "http"]),
    (KILLS, &["--kills", "240", "--waits"]),
    (KILLS, &["--kills", "240", "--waits", "--over", "http"]),
    (KILLS, &["--kills", "1000", "--crash-loop"]),
    (TRIALS, &[]),
    (CROWDS, &[]),
    (ABANDONED, &[]),
];

fn run(repository: &Repository, arguments: &[String]) -> anyhow::Result<bool> {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--help" | "-h"] => {
            println!("{HELP}");
            Ok(true)
        }
        ["--full"] => full(repository),
        _ => {
            let status = repository.cargo(KILLS).args(arguments).status().context("cannot run cargo")?;
            Ok(status.success())
        }
    }
}

/// Runs every trial at full size, and prints the results.
fn full(repository: &Repository) -> anyhow::Result<bool> {
    let mut rows = Vec::new();
    let mut all_passed = true;
    for (words, more) in FULL {
        let start = Instant::now();
        let mut process = repository.cargo(words);
        process.args(more);
        let (counted, passed) = follow(process)?;
        let outcome = if passed { "passed" } else { "FAILED" };
        println!("{words} {}: {outcome}, {:.0} s\n", more.join(" "), start.elapsed().as_secs_f32());
        rows.extend(counted);
        all_passed &= passed;
    }
    for (name, counted) in rows {
        println!("{name:36}{counted}");
    }
    println!("\n{}", if all_passed { "every promise was kept" } else { "a promise was broken: see above" });
    Ok(all_passed)
}

/// Runs trials and passes their output on. Returns the result of each, and whether all passed.
fn follow(mut process: Process) -> anyhow::Result<(Vec<(String, String)>, bool)> {
    let mut running =
        process.env("TURNKIT_TRIALS", "full").stdout(Stdio::piped()).spawn().context("cannot run cargo")?;
    let mut rows = Vec::new();
    for line in BufReader::new(running.stdout.take().context("no output")?).lines() {
        let line = line?;
        println!("{line}");
        rows.extend(row(&line));
    }
    Ok((rows, running.wait()?.success()))
}

/// Returns the name and the result of a trial if the line reports one. A test runner may have written to the same line
/// before.
fn row(line: &str) -> Option<(String, String)> {
    let (name, counted) = line.split_once(MARK)?.1.split_once(" | ")?;
    Some((name.to_owned(), counted.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_of_a_trial_is_found_wherever_its_line_begins() {
        let expected = Some(("idle streams".to_owned(), "9500, 0 failures".to_owned()));
        assert_eq!(row("trial: idle streams | 9500, 0 failures"), expected);
        assert_eq!(row("test idle::they_cost_little ... trial: idle streams | 9500, 0 failures"), expected);
        assert_eq!(row("test result: ok. 1 passed"), None);
    }
}
