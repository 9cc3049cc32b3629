//! What a model calls.

use serde::{Deserialize, Serialize};

/// The place of the call in its round, counted from 0, that a person denies if asked.
pub(super) const DENIED: usize = 1;

/// What a person answers to every question.
pub(super) const ANSWER: &str = "yes";

/// What the client's tool returns.
pub(super) const SHOWN: &str = "shown";

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
    /// Asks the person something.
    Ask,
    /// Is run by the client.
    Show,
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
            Self::Ask => "ask",
            Self::Show => "show",
        }
    }

    /// Whether a call of it changes something.
    pub fn changes(self) -> bool {
        !matches!(self, Self::Lookup | Self::Delegate | Self::Ask | Self::Show)
    }

    /// Whether it may run again and changes nothing more then.
    pub fn may_repeat(self) -> bool {
        matches!(self, Self::Upsert | Self::Replace)
    }

    /// Whether a person is asked before it runs.
    pub fn needs_approval(self) -> bool {
        matches!(self, Self::Transfer | Self::Replace)
    }

    /// Whether a call of it waits for the person or the client.
    pub fn is_decided(self) -> bool {
        self.needs_approval() || self.is_answered()
    }

    /// Whether the result is what the person or the client answers.
    pub fn is_answered(self) -> bool {
        matches!(self, Self::Ask | Self::Show)
    }

    /// Whether a call of it waits for a decision or a sub-agent.
    pub fn waits(self) -> bool {
        self.is_decided() || self == Self::Delegate
    }

    /// Whether a person denies a call at this place of its round, counted from 0.
    pub fn is_denied(self, place: usize) -> bool {
        self.needs_approval() && place == DENIED
    }
}
