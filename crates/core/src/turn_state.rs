//! The states of a turn, from its acceptance to its end.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Str;

/// The state of a turn. Its text form is the `state` of a turn in the store, in the API and on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TurnState {
    /// The turn waits in the queue of its session.
    Queued,
    /// The turn has an owner that runs it, or the next owner will run it.
    Running,
    /// The turn waits for a decision and has no owner.
    Waiting,
    /// The turn was asked to stop. Its owner will end it.
    Cancelling,
    /// The turn has ended.
    Ended(TurnStatus),
}

impl TurnState {
    /// Every state, in the order of a turn's life.
    pub const ALL: [Self; 10] = [
        Self::Queued,
        Self::Running,
        Self::Waiting,
        Self::Cancelling,
        Self::Ended(TurnStatus::Completed),
        Self::Ended(TurnStatus::Failed),
        Self::Ended(TurnStatus::Cancelled),
        Self::Ended(TurnStatus::Limit),
        Self::Ended(TurnStatus::Interrupted),
        Self::Ended(TurnStatus::Expired),
    ];

    /// Returns the text form.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Cancelling => "cancelling",
            Self::Ended(status) => status.as_str(),
        }
    }

    /// Returns `true` if the turn has begun and not ended.
    pub fn is_active(self) -> bool {
        matches!(self, Self::Running | Self::Waiting | Self::Cancelling)
    }
}

/// How a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, JsonSchema)]
#[schemars(rename_all = "snake_case")]
pub enum TurnStatus {
    /// The model completed its answer.
    Completed,
    /// An error ended the turn; the answer so far is kept.
    Failed,
    /// A client cancelled the turn; the answer so far is kept.
    Cancelled,
    /// A limit was reached; the steps so far are kept.
    Limit,
    /// Another message superseded the turn.
    Interrupted,
    /// The turn's time limit expired.
    Expired,
}

impl TurnStatus {
    /// Returns the text form, which is also the JSON form.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Limit => "limit",
            Self::Interrupted => "interrupted",
            Self::Expired => "expired",
        }
    }
}

impl Serialize for TurnStatus {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for TurnStatus {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match TurnState::deserialize(deserializer)? {
            TurnState::Ended(status) => Ok(status),
            state => Err(serde::de::Error::custom(format_args!("a turn that is {state} has not ended"))),
        }
    }
}

/// The error for text that is not the text form of a [`TurnState`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected one of {}", TurnState::ALL.map(TurnState::as_str).join(", "))]
pub struct UnknownTurnState;

impl FromStr for TurnState {
    type Err = UnknownTurnState;

    fn from_str(text: &str) -> Result<Self, UnknownTurnState> {
        Self::ALL.into_iter().find(|state| state.as_str() == text).ok_or(UnknownTurnState)
    }
}

impl fmt::Display for TurnState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for TurnState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for TurnState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Str::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_has_one_word_in_text_and_json() {
        for state in TurnState::ALL {
            assert_eq!(state.as_str().parse(), Ok(state));
            let json = format!("\"{state}\"");
            assert_eq!(serde_json::to_string(&state).unwrap(), json);
            assert_eq!(serde_json::from_str::<TurnState>(&json).unwrap(), state);
            if let TurnState::Ended(status) = state {
                assert_eq!(serde_json::to_string(&status).unwrap(), json);
                assert_eq!(serde_json::from_str::<TurnStatus>(&json).unwrap(), status);
            }
        }
        assert_eq!("over".parse::<TurnState>(), Err(UnknownTurnState));
        assert!(serde_json::from_str::<TurnState>("\"over\"").is_err());
        assert!(serde_json::from_str::<TurnStatus>("\"running\"").is_err());
    }
}
