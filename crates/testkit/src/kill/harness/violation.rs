//! The violations that a trial can find.

use std::fmt;

/// A kind of promise that was broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    /// An accepted turn is stored, and ends.
    Lost,
    /// A turn ends once, with the last event of its log.
    Terminal,
    /// A session has the messages of its turns exactly once and in order.
    Messages,
    /// A call that must not run twice runs at most once, and its result matches what is known of its effect.
    Effects,
    /// The database file is undamaged.
    Integrity,
    /// A file that a stored message names exists and is complete.
    Files,
    /// An idempotency key starts one turn.
    Key,
    /// Everything that the client was shown is in the log, unless it was retracted.
    Shown,
    /// Stored data does not change.
    Stored,
    /// Pending decisions are listed after each death, and an acknowledged decision is kept.
    Decisions,
    /// A call receives the report of its sub-agent once.
    Reports,
    /// The model is not asked again for a stored answer.
    ModelCalledTwice,
    /// A worker that lost a turn no longer writes it.
    Fence,
}

/// A broken promise, with a description of what was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The promise that was broken.
    pub check: Check,
    /// A description of what was found.
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
