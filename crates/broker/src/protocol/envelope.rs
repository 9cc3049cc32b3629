//! The values that go from process to process.

use serde::{Deserialize, Serialize};
use turnkit_core::{Fence, LogBatch, LogPosition, SessionId, StopReason, TurnId, WorkerId};

/// All that one process sends to a recipient at once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Envelope {
    /// The sender.
    pub from: WorkerId,
    /// The messages, in order.
    pub messages: Vec<Message>,
}

/// The processes an envelope is for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Recipient {
    /// One process.
    Process(WorkerId),
    /// Every process but the sender.
    Everyone,
}

/// One message of a process to another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// The sender follows a turn of the recipient, or still does. It ends unless it is renewed.
    Want(Want),
    /// The sender follows the turn no more.
    Leave(TurnId),
    /// What happened in a turn that the recipient follows.
    Log(LogBatch),
    /// The sender does not have the log of this turn.
    Unknown(TurnId),
    /// The sender lives: nothing happened in the turns that the recipient follows.
    Alive,
    /// The recipient's run of the turn is to stop. The store has the request already.
    Stop {
        /// The turn.
        turn: TurnId,
        /// Why.
        reason: StopReason,
    },
    /// The sender watches these sessions, or still does. It ends unless it is renewed.
    Watch(Vec<SessionId>),
    /// Other turns of the session run or wait than before. The store has it already.
    Changed(SessionId),
}

/// The wish to follow a turn from a position on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Want {
    /// The turn.
    pub turn: TurnId,
    /// The owner of the log that the position is in; by default there is none yet.
    pub fence: Fence,
    /// What the follower has of the log.
    pub after: LogPosition,
}
