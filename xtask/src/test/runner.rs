//! Which program runs the tests.

use std::process::Command as Process;

use crate::Repository;

#[derive(Clone, Copy)]
pub(super) enum Runner {
    Nextest,
    Cargo,
}

/// Which tests are run, and how they are built.
pub(super) struct Selection<'a> {
    /// Arguments that choose packages and features, between single spaces.
    pub(super) packages: &'a str,
    /// The cargo profile.
    pub(super) profile: &'a str,
    /// Which of them lack something, as expressions of cargo-nextest.
    pub(super) left_out: Vec<String>,
    /// What names must hold; empty for all.
    pub(super) filter: &'a [String],
}

impl Runner {
    /// cargo-nextest if it is installed.
    pub(super) fn find(repository: &Repository) -> Self {
        let nextest = repository.cargo("nextest --version").output();
        if nextest.is_ok_and(|output| output.status.success()) { Self::Nextest } else { Self::Cargo }
    }

    pub(super) fn describe(self) -> &'static str {
        match self {
            Self::Nextest => "tests run with cargo-nextest",
            Self::Cargo => "tests run with cargo test, because cargo-nextest is not installed",
        }
    }

    /// Whether the examples in the documentation need a run of their own.
    pub(super) fn leaves_out_documentation(self) -> bool {
        matches!(self, Self::Nextest)
    }

    /// The process that runs a selection.
    pub(super) fn process(self, repository: &Repository, selection: &Selection<'_>) -> Process {
        let (command, profile) = match self {
            Self::Nextest => ("nextest run --no-fail-fast --no-tests pass --color never", "--cargo-profile"),
            Self::Cargo => ("test --no-fail-fast --color never", "--profile"),
        };
        let mut process = repository.cargo(command);
        process.args(selection.packages.split(' ')).args([profile, selection.profile]).args(selection.filter);
        // Under cargo test these tests find nothing, say so themselves, and count as passed.
        if !selection.left_out.is_empty() && matches!(self, Self::Nextest) {
            process.arg("-E").arg(format!("not ({})", selection.left_out.join(" | ")));
            // The runner names what it skips; with a filter that would be nearly everything.
            if selection.filter.is_empty() {
                process.args(["--status-level", "skip"]);
            }
        }
        process
    }
}
