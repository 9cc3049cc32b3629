//! Trials: checks of promises that must hold for any number of runs and any load. Each trial has a short size, for
//! every change, and a full one.

use std::fmt::Display;

/// The size of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// The size that every change must pass.
    Short,
    /// The size that `cargo xtask chaos --full` requests.
    Full,
}

/// The environment variable that requests full trials.
const VARIABLE: &str = "TURNKIT_TRIALS";

/// The prefix of a line that reports the result of a trial.
const MARK: &str = "trial: ";

impl Size {
    /// Returns the requested size: `Full` if `TURNKIT_TRIALS=full` is set, otherwise `Short`.
    #[expect(clippy::disallowed_methods, reason = "test runs select the size by an environment variable")]
    pub fn from_env() -> Self {
        if std::env::var_os(VARIABLE).is_some_and(|size| size == "full") { Self::Full } else { Self::Short }
    }

    /// Returns the number for this size.
    pub fn of<T>(self, short: T, full: T) -> T {
        match self {
            Self::Short => short,
            Self::Full => full,
        }
    }
}

/// Prints the result of a trial for the table of `cargo xtask chaos --full`. A trial that fails does not reach this
/// call.
#[expect(clippy::print_stdout, reason = "the person who runs a trial reads its result")]
pub fn report(name: &str, counted: impl Display) {
    println!("{MARK}{name} | {counted}");
}
