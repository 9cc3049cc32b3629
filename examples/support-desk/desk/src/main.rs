//! The support desk: an identity provider, two MCP servers, and turnkit with an agent that uses them.
//!
//! Starts all of them as processes of its own, prints their addresses, and ends all of them with Ctrl-C or as soon as
//! one of them ends.

mod arguments;
mod desk;
mod environment;
mod output;
mod process;
mod servers;
mod signals;
mod stop;
mod turnkit;
mod watcher;

use std::process::ExitCode;

use anyhow::bail;
use clap::Parser;

use arguments::{Arguments, Command};
use desk::Desk;
use signals::StopSignals;

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    match &arguments.command {
        Some(Command::Server(server)) => servers::serve(server).await?,
        Some(Command::Watch) => watcher::watch().await?,
        None => run(&arguments).await?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs the desk until a signal arrives or one of its processes ends.
async fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut signals = StopSignals::listen()?;
    let mut desk = tokio::select! {
        biased;
        () = signals.next() => return Ok(()),
        desk = Desk::start(arguments) => desk?,
    };
    output::line(&desk.to_string())?;
    let ended = tokio::select! {
        biased;
        () = signals.next() => None,
        ended = desk.first_end() => Some(ended),
    };
    desk.stop().await;
    match ended {
        None => Ok(()),
        Some(end) => bail!("{end}; the other processes were ended too"),
    }
}
