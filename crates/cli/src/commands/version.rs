//! `turnkit version`.

use std::process::ExitCode;

use crate::failure::Failure;
use crate::terminal;

pub(crate) fn run(json: bool) -> Result<ExitCode, Failure> {
    let version = env!("CARGO_PKG_VERSION");
    let said = if json { serde_json::json!({ "version": version }).to_string() } else { format!("turnkit {version}") };
    terminal::line(&said).map_err(|error| Failure::of_output(&error))?;
    Ok(ExitCode::SUCCESS)
}
