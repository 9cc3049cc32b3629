//! Commands that need no data: `turnkit openapi`, `schema`, `completions` and `version`.

use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;
use turnkit_server::native::event_schema;

use crate::args::{Args, SchemaOf};
use crate::config::json_schema;
use crate::failure::Failure;
use crate::terminal::print_text;

/// Prints the document that every server of this version returns at `/openapi.json`.
pub(crate) fn openapi() -> Result<ExitCode, Failure> {
    print(turnkit_server::openapi())
}

/// Prints the JSON Schema of the configuration or of native events.
pub(crate) fn schema(of: SchemaOf) -> Result<ExitCode, Failure> {
    match of {
        SchemaOf::Configuration => print(&json_schema()),
        SchemaOf::Events => print(&event_schema()),
    }
}

/// Prints the completion script for a shell.
pub(crate) fn completions(shell: Shell) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "turnkit", &mut script);
    print(&String::from_utf8_lossy(&script))
}

pub(crate) fn version(json: bool) -> Result<ExitCode, Failure> {
    let version = env!("CARGO_PKG_VERSION");
    let text = if json { serde_json::json!({ "version": version }).to_string() } else { format!("turnkit {version}") };
    print(&format!("{text}\n"))
}

fn print(text: &str) -> Result<ExitCode, Failure> {
    print_text(text).map_err(|error| Failure::of_output(&error))?;
    Ok(ExitCode::SUCCESS)
}
