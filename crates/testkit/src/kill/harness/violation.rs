//! What a trial can find.

use std::fmt;

/// A promise that was broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    /// An accepted turn is stored, and comes to its end.
    Lost,
    /// A turn ends once, with the last event of its log.
    Terminal,
    /// A session holds what was said, once and in order.
    Messages,
    /// A call that must not run twice does not, and its result says what is known of it.
    Effects,
    /// The database is whole.
    Integrity,
    /// A file that a stored message names is there, and whole.
    Files,
    /// One key, one turn.
    Key,
    /// What the client saw is what the log says, unless it was retracted.
    Shown,
    /// What is stored stays as it is.
    Stored,
    /// What is to be decided is listed after each death, and a decision that was answered stays.
    Decisions,
    /// A call gets the report of its sub-agent once.
    Reports,
    /// What the model answered is not asked again.
    Repaid,
    /// A worker that lost a turn writes it no more.
    Fence,
}

/// A broken promise, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Which promise.
    pub check: Check,
    /// What was found.
    pub found: String,
}

impl Violation {
    pub(super) fn new(check: Check, found: impl Into<String>) -> Self {
        Self { check, found: found.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.check, self.found)
    }
}
