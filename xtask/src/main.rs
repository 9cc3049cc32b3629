//! Checks and test runs of this repository. `cargo xtask help` lists them.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool talks to its terminal")]

mod chaos;
mod check;
mod context;
mod costs;
mod fuzz;
mod repository;
mod system;
mod test;
mod tokens;
mod tools;

use std::process::ExitCode;

use repository::Repository;

/// The commands. A new one needs one file with a `COMMAND`, and one line here.
const COMMANDS: &[Command] =
    &[check::COMMAND, test::COMMAND, costs::COMMAND, chaos::COMMAND, context::COMMAND, fuzz::COMMAND];

/// A command of `cargo xtask`.
struct Command {
    name: &'static str,
    arguments: &'static str,
    about: &'static str,
    /// Runs the command. Returns `true` if it found no problem. An error means that the command could not do its work.
    run: fn(&Repository, &[String]) -> anyhow::Result<bool>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = arguments.split_first() else {
        return usage(ExitCode::from(2));
    };
    if matches!(name.as_str(), "help" | "-h" | "--help") {
        return usage(ExitCode::SUCCESS);
    }
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        eprintln!("there is no command `{name}`");
        return usage(ExitCode::from(2));
    };
    match Repository::open().and_then(|repository| (command.run)(&repository, rest)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn usage(code: ExitCode) -> ExitCode {
    println!("Usage: cargo xtask COMMAND\n");
    for command in COMMANDS {
        println!("  {:<16} {}", format!("{} {}", command.name, command.arguments), command.about);
    }
    code
}
