//! `turnkit init`: creates a configuration to start from.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use crate::failure::Failure;
use crate::terminal;

const TEMPLATE: &str = include_str!("../../templates/turnkit.toml");

/// Writes `turnkit.toml`. Never overwrites an existing file.
pub(crate) fn run(directory: &Path) -> Result<ExitCode, Failure> {
    let file = directory.join("turnkit.toml");
    let cannot = |error: std::io::Error| match error.kind() {
        ErrorKind::AlreadyExists => Failure::Usage(format!("{} exists already; nothing was written", file.display())),
        _ => Failure::Failed(format!("cannot write {}: {error}", file.display())),
    };
    std::fs::create_dir_all(directory).map_err(|error| cannot_make(directory, &error))?;
    let mut new = OpenOptions::new().write(true).create_new(true).open(&file).map_err(cannot)?;
    new.write_all(TEMPLATE.as_bytes()).map_err(cannot)?;
    let hint = format!("wrote {}; try it with: turnkit --config {0} chat", file.display());
    terminal::line(&hint).map_err(|error| Failure::of_output(&error))?;
    Ok(ExitCode::SUCCESS)
}

fn cannot_make(directory: &Path, error: &std::io::Error) -> Failure {
    let directory = directory.display();
    match error.kind() {
        ErrorKind::AlreadyExists | ErrorKind::NotADirectory => {
            Failure::Usage(format!("{directory} cannot be a folder: a file is in its place; nothing was written"))
        }
        _ => Failure::Failed(format!("cannot make the folder {directory}: {error}")),
    }
}
