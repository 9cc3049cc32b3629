//! Messages between processes, and the envelopes that carry them.

use serde::{Deserialize, Serialize};
use turnkit_core::{Fence, LogBatch, LogPosition, SessionId, StopReason, TurnId, WorkerId};

/// The messages that one process sends to a recipient at once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Envelope {
    /// The sender.
    pub from: WorkerId,
    /// The messages, in order.
    pub messages: Vec<Message>,
}

/// The recipient of an envelope.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Recipient {
    /// One process.
    Process(WorkerId),
    /// Every process but the sender.
    Everyone,
}

/// One message from one process to another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// The sender follows a turn of the recipient. The request expires unless it is renewed.
    #[serde(rename = "want")]
    Follow(FollowRequest),
    /// The sender no longer follows the turn.
    Leave(TurnId),
    /// Operations of a turn that the recipient follows.
    #[serde(rename = "log")]
    Operations(LogBatch),
    /// The sender does not have the log of this turn.
    Unknown(TurnId),
    /// Heartbeat of an owner: the sender is alive and has no new operations for the recipient.
    #[serde(rename = "alive")]
    Heartbeat,
    /// The recipient must stop its run of the turn. The store already holds the stop request.
    Stop {
        /// The turn.
        turn: TurnId,
        /// The reason for the stop.
        reason: StopReason,
    },
    /// The sender watches these sessions. The watch expires unless it is renewed.
    Watch(Vec<SessionId>),
    /// The set of running or waiting turns of this session has changed. The store already holds the change.
    #[serde(rename = "changed")]
    SessionChanged(SessionId),
}

/// A request to follow a turn from a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FollowRequest {
    /// The turn.
    pub turn: TurnId,
    /// The fence of the owner whose log the position refers to. The default means that the follower has no log yet.
    pub fence: Fence,
    /// The last position of the log that the follower has.
    pub after: LogPosition,
}
