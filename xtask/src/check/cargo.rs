//! What cargo's own tools say.

use super::{Outcome, judge};
use crate::Repository;

pub(super) fn format(repository: &Repository) -> anyhow::Result<Outcome> {
    let outcome = judge(&mut repository.cargo("fmt --all -- --check -l"), "rustfmt")?;
    Ok(match outcome {
        Outcome::Failed(files) => Outcome::Failed([files, vec!["`cargo fmt --all` formats them".to_owned()]].concat()),
        passed @ Outcome::Passed(_) => passed,
    })
}

/// With all features, and as users get it: code that a feature leaves out is checked too.
pub(super) fn clippy(repository: &Repository) -> anyhow::Result<Outcome> {
    for features in ["--all-features ", ""] {
        let words = format!("clippy --workspace --all-targets {features}--quiet --keep-going -- -D warnings");
        if let failed @ Outcome::Failed(_) = judge(&mut repository.cargo(&words), "")? {
            return Ok(failed);
        }
    }
    Ok(Outcome::Passed("all targets; all features and default features".to_owned()))
}

/// Libraries only: the binary has the name of the facade, and both would be written to one place.
pub(super) fn rustdoc(repository: &Repository) -> anyhow::Result<Outcome> {
    let mut doc = repository.cargo("doc --workspace --lib --all-features --no-deps --quiet --keep-going");
    judge(doc.env("RUSTDOCFLAGS", "-D warnings"), "warnings are errors")
}
