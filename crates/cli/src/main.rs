//! The `turnkit` binary: command line, configuration and wiring. All other code is in the libraries.

mod args;
mod chat;
mod commands;
mod config;
mod data;
mod failure;
mod log;
mod place;
mod query;
mod remote;
mod sandbox;
mod terminal;
mod wiring;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};
use failure::Failure;

fn main() -> ExitCode {
    let args = Args::parse();
    run(&args).unwrap_or_else(|failure| failure.report())
}

fn run(args: &Args) -> Result<ExitCode, Failure> {
    // The configuration of a server sets up its log.
    if !matches!(args.command, Command::Serve(_)) {
        log::for_a_person(args.verbose);
    }
    match &args.command {
        Command::Serve(serve) => runtime()?.block_on(commands::serve::run(&args.place, serve, args.verbose)),
        Command::Chat(chat) => runtime()?.block_on(chat::run(&args.place, chat)),
        Command::Sessions(sessions) => runtime()?.block_on(commands::sessions::run(&args.place, sessions)),
        Command::Turns(turns) => runtime()?.block_on(commands::turns::run(&args.place, turns)),
        Command::Interactions(interactions) => {
            runtime()?.block_on(commands::interactions::run(&args.place, interactions))
        }
        Command::Usage(usage) => runtime()?.block_on(commands::usage::run(&args.place, usage)),
        Command::Keys(keys) => runtime()?.block_on(commands::keys::run(&args.place, keys)),
        Command::Permissions(permissions) => runtime()?.block_on(commands::permissions::run(&args.place, permissions)),
        Command::Providers(providers) => runtime()?.block_on(commands::providers::run(&args.place, providers)),
        Command::Mcp(mcp) => {
            let runtime = runtime()?;
            let outcome = runtime.block_on(commands::mcp::run(&args.place, mcp));
            // A thread may wait for standard input, which the other program closes or not.
            runtime.shutdown_background();
            outcome
        }
        Command::Doctor { json } => runtime()?.block_on(commands::doctor::run(&args.place, *json)),
        Command::Init { directory } => commands::init::run(directory),
        Command::Wire(wire) => commands::wire::run(wire),
        Command::Openapi => commands::print::openapi(),
        Command::Schema { of } => commands::print::schema(*of),
        Command::Completions { shell } => commands::print::completions(*shell),
        Command::Launch(launch) => commands::launch::run(launch),
        Command::Version { json } => commands::print::version(*json),
    }
}

fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    let built = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = built.map_err(|error| Failure::Failed(format!("cannot start the runtime: {error}")))?;
    survive_file_size_limit(&runtime);
    Ok(runtime)
}

/// Ignores the signal of a write beyond `ulimit -f`, which would end the process. The write then fails with an error,
/// as on a full disk. Tokio's handler stays installed after its listener is dropped.
#[cfg(unix)]
fn survive_file_size_limit(runtime: &tokio::runtime::Runtime) {
    use tokio::signal::unix::{SignalKind, signal};
    let _inside = runtime.enter();
    if let Err(error) = signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw())) {
        tracing::warn!(%error, "could not handle SIGXFSZ: a write beyond `ulimit -f` will end this process");
    }
}

/// Does nothing: other systems have no such signal.
#[cfg(not(unix))]
fn survive_file_size_limit(_: &tokio::runtime::Runtime) {}
