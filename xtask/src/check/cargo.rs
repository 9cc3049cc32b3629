//! What cargo's own tools say.

use super::{Outcome, judge};
use crate::Repository;

pub(super) fn format(repository: &Repository) -> anyhow::Result<Outcome> {
    judge(&mut repository.cargo("fmt --all --check"), "rustfmt")
}

pub(super) fn clippy(repository: &Repository) -> anyhow::Result<Outcome> {
    let words = "clippy --workspace --all-targets --all-features --quiet -- -D warnings";
    judge(&mut repository.cargo(words), "all targets, all features")
}

pub(super) fn rustdoc(repository: &Repository) -> anyhow::Result<Outcome> {
    let mut doc = repository.cargo("doc --workspace --all-features --no-deps --quiet");
    judge(doc.env("RUSTDOCFLAGS", "-D warnings"), "warnings are errors")
}
