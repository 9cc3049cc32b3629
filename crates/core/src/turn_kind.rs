//! The purposes of turns.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The purpose of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TurnKind {
    /// To answer a message of the user.
    #[default]
    Message,
    /// To replace earlier messages with a summary. The turn's first message is a notice, which models do not see.
    Compact,
    /// To write a title for the session. The turn's first message is a notice, which models do not see.
    Title,
}

impl TurnKind {
    /// Returns `true` if the turn answers a message of the user.
    pub fn is_message(&self) -> bool {
        *self == Self::Message
    }
}
