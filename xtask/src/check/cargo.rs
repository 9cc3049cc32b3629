//! What cargo's own tools say.

use super::{Outcome, judge};
use crate::Repository;

pub(super) fn format(repository: &Repository) -> anyhow::Result<Outcome> {
    judge(&mut repository.cargo("fmt --all --check"), "rustfmt")
}

/// With all features, and as users get it: code that a feature leaves out is checked too.
pub(super) fn clippy(repository: &Repository) -> anyhow::Result<Outcome> {
    for features in ["--all-features ", ""] {
        let words = format!("clippy --workspace --all-targets {features}--quiet -- -D warnings");
        if let failed @ Outcome::Failed(_) = judge(&mut repository.cargo(&words), "")? {
            return Ok(failed);
        }
    }
    Ok(Outcome::Passed("all targets; all features and default features".to_owned()))
}

/// Libraries only: the binary has the name of the facade, and both would be written to one place.
pub(super) fn rustdoc(repository: &Repository) -> anyhow::Result<Outcome> {
    let mut doc = repository.cargo("doc --workspace --lib --all-features --no-deps --quiet");
    judge(doc.env("RUSTDOCFLAGS", "-D warnings"), "warnings are errors")
}
