//! The `turnkit` binary: command line, configuration and wiring. Everything else is in the libraries.

mod args;
mod chat;
mod commands;
mod config;
mod failure;
mod terminal;
mod wiring;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};
use failure::Failure;

fn main() -> ExitCode {
    let args = Args::parse();
    run(&args).unwrap_or_else(|failure| failure.tell())
}

fn run(args: &Args) -> Result<ExitCode, Failure> {
    log_to_stderr(args.verbose);
    match &args.command {
        Command::Version { json } => commands::version::run(*json),
        Command::Init { directory } => commands::init::run(directory),
        Command::Chat(chat) => runtime()?.block_on(chat::run(&args.place, chat)),
        Command::Sessions(sessions) => runtime()?.block_on(commands::sessions::run(&args.place, sessions)),
    }
}

fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    let built = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    built.map_err(|error| Failure::Failed(format!("cannot start the runtime: {error}")))
}

/// Structured logs. Unless asked for they hold errors only: a person sees nothing they did not ask for, and no failure
/// is silent.
fn log_to_stderr(verbose: u8) {
    use tracing_subscriber::filter::LevelFilter;
    let level = match verbose {
        0 => LevelFilter::ERROR,
        1 => LevelFilter::INFO,
        _ => LevelFilter::DEBUG,
    };
    tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr).init();
}
