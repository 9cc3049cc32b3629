//! Tool calls of the scripted model.

use serde::{Deserialize, Serialize};

/// The place of the call in its round, counted from 0, that the person denies when asked for approval.
pub(super) const DENIED: usize = 1;

/// The person's answer to every question.
pub(super) const ANSWER: &str = "yes";

/// The result of the client's tool.
pub(super) const SHOWN: &str = "shown";

/// A tool of the host that the model can call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostTool {
    /// Changes something, and must not run twice.
    Pay,
    /// Changes something. Running it again changes nothing more.
    Upsert,
    /// Reads only.
    Lookup,
    /// Like `Pay`, after a person has approved it.
    Transfer,
    /// Like `Upsert`, after a person has approved it.
    Replace,
    /// Delegates a task to a sub-agent.
    Delegate,
    /// Asks the person a question.
    Ask,
    /// Runs on the client.
    Show,
}

impl HostTool {
    /// Returns the tool's name.
    pub fn name(self) -> &'static str {
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

    /// Returns `true` if a call changes something.
    pub fn changes(self) -> bool {
        !matches!(self, Self::Lookup | Self::Delegate | Self::Ask | Self::Show)
    }

    /// Returns `true` if the call may run again without changing anything more.
    pub fn may_repeat(self) -> bool {
        matches!(self, Self::Upsert | Self::Replace)
    }

    /// Returns `true` if a person must approve the call before it runs.
    pub fn needs_approval(self) -> bool {
        matches!(self, Self::Transfer | Self::Replace)
    }

    /// Returns `true` if the call waits for the person or the client.
    pub fn is_decided(self) -> bool {
        self.needs_approval() || self.is_answered()
    }

    /// Returns `true` if the result is the answer of the person or the client.
    pub fn is_answered(self) -> bool {
        matches!(self, Self::Ask | Self::Show)
    }

    /// Returns `true` if the call waits for a decision or a sub-agent.
    pub fn waits(self) -> bool {
        self.is_decided() || self == Self::Delegate
    }

    /// Returns `true` if the person denies a call at this place of its round, counted from 0.
    pub fn is_denied(self, place: usize) -> bool {
        self.needs_approval() && place == DENIED
    }
}
