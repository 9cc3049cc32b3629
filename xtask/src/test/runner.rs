//! The program that runs the tests.

use std::process::Command as Process;

use crate::Repository;

#[derive(Clone, Copy)]
pub(super) enum Runner {
    Nextest,
    Cargo,
}

/// The tests to run, and how they are built.
pub(super) struct Selection<'a> {
    /// Arguments that select packages and features, separated by single spaces.
    pub(super) packages: &'a str,
    /// The cargo profile.
    pub(super) profile: &'a str,
    /// The tests that lack a requirement, as expressions of cargo-nextest.
    pub(super) left_out: Vec<String>,
    /// Parts of test names to select; empty for all tests.
    pub(super) filter: &'a [String],
}

impl Runner {
    /// Returns cargo-nextest if it is installed, else cargo.
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

    /// Reports whether the examples in the documentation need a separate run.
    pub(super) fn leaves_out_documentation(self) -> bool {
        matches!(self, Self::Nextest)
    }

    /// Returns the process that runs a selection.
    pub(super) fn process(self, repository: &Repository, selection: &Selection<'_>) -> Process {
        let (command, profile) = match self {
            Self::Nextest => ("nextest run --no-fail-fast --no-tests pass --color never", "--cargo-profile"),
            Self::Cargo => ("test --no-fail-fast --color never", "--profile"),
        };
        let mut process = repository.cargo(command);
        process.args(selection.packages.split(' ')).args([profile, selection.profile]).args(selection.filter);
        // With cargo test, these tests find no requirement, report that themselves, and count as passed.
        if !selection.left_out.is_empty() && matches!(self, Self::Nextest) {
            process.arg("-E").arg(format!("not ({})", selection.left_out.join(" | ")));
            // The runner lists skipped tests. With a filter, these would be almost all tests.
            if selection.filter.is_empty() {
                process.args(["--status-level", "skip"]);
            }
        }
        process
    }
}
