//! The host process that the kill harness kills (`serve`), and the harness itself (`chaos`).
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool talks to its terminal")]

use std::error::Error;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use turnkit_testkit::kill::Over;
use turnkit_testkit::kill::harness::{Campaign, CampaignKind};
use turnkit_testkit::kill::host::{HostOptions, Mutant, serve};
use turnkit_testkit::trial::report;

/// Number of kills between two progress lines.
const PROGRESS: usize = 100;

/// Runs turns in a host that is to be killed, or kills such hosts.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run turns as directed by commands on standard input.
    Serve(HostOptions),
    /// Kill hosts, then judge the state they leave behind.
    Chaos(ChaosOptions),
}

#[derive(clap::Args)]
struct ChaosOptions {
    /// The minimum number of kills.
    #[arg(long, default_value_t = 60)]
    kills: usize,
    /// How clients reach the host.
    #[arg(long, default_value_t)]
    over: Over,
    /// The seed of the first trial.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// A bug to plant in each host.
    #[arg(long)]
    mutant: Option<Mutant>,
    /// Kill each host soon after its start, over and over, and expect that no turn is given up because of it.
    #[arg(long)]
    crash_loop: bool,
    /// Kill hosts while turns wait for a person or a sub-agent.
    #[arg(long, conflicts_with = "crash_loop")]
    waits: bool,
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Serve(options) => serve(&options).map(|()| true),
        Command::Chaos(options) => chaos(&options),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the campaign and returns `true` if every promise was kept.
fn chaos(options: &ChaosOptions) -> Result<bool, Box<dyn Error>> {
    let ChaosOptions { kills, over, seed, mutant, crash_loop, waits } = *options;
    let (kind, name) = match (crash_loop, waits) {
        (true, _) => (CampaignKind::CrashLoop, "crash loops"),
        (_, true) => (CampaignKind::Waits, "kills while turns wait"),
        _ => (CampaignKind::Faults, "kills"),
    };
    let campaign = Campaign { binary: std::env::current_exe()?, kills, over, seed, mutant, kind };
    let (mut told, mut failed) = (0, 0);
    let table = campaign.run(|table| {
        for failure in table.failures().iter().skip(failed) {
            println!("{failure}");
        }
        failed = table.failures().len();
        if table.kills() / PROGRESS > told {
            told = table.kills() / PROGRESS;
            println!("{} of {kills} kills, {failed} failures", table.kills());
        }
    })?;
    println!("\n{table}");
    report(&format!("{name} over {over}"), format!("{} kills, {} failures", table.kills(), table.failures().len()));
    Ok(table.failures().is_empty())
}
