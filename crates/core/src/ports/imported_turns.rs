//! The turns of a session that is made with all of them at once.

use crate::{BlobId, Message, Timestamp, TraceId, TurnId, TurnKind, TurnStatus};

/// The turns of a session to be made, which are over: such as those of one that was exported elsewhere.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ImportedTurns {
    /// The turns, numbered from 1 in this order.
    pub turns: Vec<ImportedTurn>,
    /// The number of the turn that the next one continues.
    pub head: Option<u32>,
}

/// A turn of a session to be made. It gets no log, and counts as if it had consumed nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedTurn {
    /// Its id.
    pub id: TurnId,
    /// The number of the turn it continues, which is lower than its own. `None` for the first turn of a branch.
    pub after: Option<u32>,
    /// The agent.
    pub agent: Box<str>,
    /// How it ended.
    pub status: TurnStatus,
    /// When it was accepted.
    pub accepted_at: Timestamp,
    /// When it ended.
    pub ended_at: Timestamp,
    /// What was said, without summaries. The calls and their results have the id of this turn.
    pub messages: Vec<Message>,
    /// The uploaded files that the messages name. They are the owner's.
    pub blobs: Vec<BlobId>,
    /// The trace of the caller that started it where it was exported, if the caller named one.
    pub trace: Option<TraceId>,
    /// Its purpose.
    pub kind: TurnKind,
}
