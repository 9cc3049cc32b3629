//! Checks with tools from the registry.

use super::{Outcome, judge};
use crate::{Repository, tools};

pub(super) fn spelling(repository: &Repository) -> anyhow::Result<Outcome> {
    let typos = tools::TYPOS.path(repository)?;
    judge(repository.program(typos).args(["--format", "brief"]), "typos")
}

pub(super) fn unused(repository: &Repository) -> anyhow::Result<Outcome> {
    let machete = tools::MACHETE.path(repository)?;
    judge(repository.program(machete).args(["crates", "examples", "xtask"]), "dependencies")
}

/// Runs cargo-deny without advisories: their database is on the network, and changes independently of this repository.
pub(super) fn deny(repository: &Repository) -> anyhow::Result<Outcome> {
    let deny = tools::DENY.path(repository)?;
    let arguments = ["--all-features", "check", "--hide-inclusion-graph", "bans", "licenses", "sources"];
    judge(repository.program(deny).args(arguments), "bans, licences, sources; advisories need the network")
}
