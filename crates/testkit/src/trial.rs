//! Trials: promises that hold however often and however many. Each has a short size, for every change, and a full one.

use std::fmt::Display;

/// How large a trial is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// What every change must pass.
    Short,
    /// What `cargo xtask chaos --full` asks for.
    Full,
}

/// What the environment says to ask for full trials.
const VARIABLE: &str = "TURNKIT_TRIALS";

/// How a line begins that says what a trial came to.
const MARK: &str = "trial: ";

impl Size {
    /// What was asked for: `TURNKIT_TRIALS=full`, or the short size.
    #[expect(clippy::disallowed_methods, reason = "how whoever runs tests says which size")]
    pub fn wanted() -> Self {
        if std::env::var_os(VARIABLE).is_some_and(|wanted| wanted == "full") { Self::Full } else { Self::Short }
    }

    /// The number for this size.
    pub fn of<T>(self, short: T, full: T) -> T {
        match self {
            Self::Short => short,
            Self::Full => full,
        }
    }
}

/// Prints what a trial came to, for the table of `cargo xtask chaos --full`. A trial that fails does not come here.
#[expect(clippy::print_stdout, reason = "what a trial counted is for whoever runs it")]
pub fn report(name: &str, counted: impl Display) {
    println!("{MARK}{name} | {counted}");
}
