//! Which program runs the tests.

use std::process::Command as Process;

use super::fixtures::{CORPUS, Fixtures};
use crate::Repository;

#[derive(Clone, Copy)]
pub(super) enum Runner {
    Nextest,
    Cargo,
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

    /// Runs the tests of `packages` that are not documentation, in a cargo profile other than `dev` if one is given.
    pub(super) fn tests(
        self,
        repository: &Repository,
        packages: &str,
        profile: Option<&str>,
        fixtures: &Fixtures,
        filter: &[String],
    ) -> Process {
        let mut process = match self {
            Self::Nextest => repository.cargo("nextest run --no-fail-fast --no-tests pass --color never"),
            Self::Cargo => repository.cargo("test --tests --no-fail-fast --color never"),
        };
        process.args(packages.split(' '));
        if let Some(profile) = profile {
            process.args([if matches!(self, Self::Nextest) { "--cargo-profile" } else { "--profile" }, profile]);
        }
        process.args(filter);
        if fixtures.are_missing() {
            match self {
                // The runner names what it skips; with a filter that would be nearly everything.
                Self::Nextest if filter.is_empty() => process.args(["--status-level", "skip"]),
                _ => &mut process,
            };
            match self {
                Self::Nextest => process.args(["-E", &format!("not test(~{CORPUS})")]),
                Self::Cargo => process.args(["--", "--skip", CORPUS]),
            };
        }
        process
    }
}
