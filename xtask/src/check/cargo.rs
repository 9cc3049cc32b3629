//! Checks with cargo's own tools.

use std::process::Command as Process;

use super::{Outcome, judge};
use crate::Repository;

pub(super) fn format(repository: &Repository) -> anyhow::Result<Outcome> {
    let outcome = judge(&mut repository.cargo("fmt --all -- --check -l"), "rustfmt")?;
    Ok(match outcome {
        Outcome::Failed(files) => Outcome::Failed([files, vec!["`cargo fmt --all` formats them".to_owned()]].concat()),
        passed @ Outcome::Passed(_) => passed,
    })
}

/// Runs clippy with all features, and with the default ones, because each leaves out some code.
pub(super) fn clippy(repository: &Repository) -> anyhow::Result<Outcome> {
    for features in ["--all-features ", ""] {
        let words = format!("clippy --workspace --all-targets {features}--quiet --keep-going -- -D warnings");
        if let failed @ Outcome::Failed(_) = judge(&mut repository.cargo(&words), "")? {
            return Ok(failed);
        }
    }
    Ok(Outcome::Passed("all targets; all features and default features".to_owned()))
}

/// Runs rustdoc on the libraries only: the binary has the same name as the facade, so both would be written to one
/// folder.
pub(super) fn rustdoc(repository: &Repository) -> anyhow::Result<Outcome> {
    judge(&mut documentation(repository), "warnings are errors")
}

/// Returns the command that builds the documentation.
pub(super) fn documentation(repository: &Repository) -> Process {
    let mut doc = repository.cargo("doc --workspace --lib --all-features --no-deps --quiet --keep-going");
    doc.env("RUSTDOCFLAGS", "-D warnings");
    doc
}
