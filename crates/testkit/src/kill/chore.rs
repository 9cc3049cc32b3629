//! What a model calls.

use serde::{Deserialize, Serialize};

/// The place of the call in its round, counted from 0, that a person denies if asked.
pub(super) const DENIED: usize = 1;

/// A call of a tool of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Chore {
    /// Changes something and must not run twice.
    Pay,
    /// Changes something; running it again changes nothing more.
    Upsert,
    /// Only looks.
    Lookup,
    /// As `Pay`, once a person approved it.
    Transfer,
    /// As `Upsert`, once a person approved it.
    Replace,
    /// Has a sub-agent do a task.
    Delegate,
}

impl Chore {
    /// The tool's name.
    pub fn tool(self) -> &'static str {
        match self {
            Self::Pay => "pay",
            Self::Upsert => "upsert",
            Self::Lookup => "lookup",
            Self::Transfer => "transfer",
            Self::Replace => "replace",
            Self::Delegate => "task",
        }
    }

    /// Whether a call of it changes something.
    pub fn changes(self) -> bool {
        !matches!(self, Self::Lookup | Self::Delegate)
    }

    /// Whether it may run again and changes nothing more then.
    pub fn may_repeat(self) -> bool {
        matches!(self, Self::Upsert | Self::Replace)
    }

    /// Whether a person is asked before it runs.
    pub fn needs_approval(self) -> bool {
        matches!(self, Self::Transfer | Self::Replace)
    }

    /// Whether a call of it waits for somebody.
    pub fn waits(self) -> bool {
        self.needs_approval() || self == Self::Delegate
    }

    /// Whether a person denies a call at this place of its round, counted from 0.
    pub fn is_denied(self, place: usize) -> bool {
        self.needs_approval() && place == DENIED
    }
}
