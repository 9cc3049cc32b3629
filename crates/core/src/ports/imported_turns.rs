//! Finished turns that are imported together with their session.

use crate::{BlobId, Message, Timestamp, TraceId, TurnId, TurnKind, TurnStatus};

/// The finished turns of a session to create, such as those of an exported session.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ImportedTurns {
    /// The turns, numbered from 1 in this order.
    pub turns: Vec<ImportedTurn>,
    /// The number of the turn that the next turn continues.
    pub head: Option<u32>,
}

/// A turn of a session to create. It gets no log, and its usage counts as zero.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedTurn {
    /// The id of the turn.
    pub id: TurnId,
    /// The number of the turn that this turn continues, which is lower than its own number. `None` for the first turn
    /// of a branch.
    pub after: Option<u32>,
    /// The agent that answered.
    pub agent: Box<str>,
    /// How the turn ended.
    pub status: TurnStatus,
    /// When the turn was accepted.
    pub accepted_at: Timestamp,
    /// When the turn ended.
    pub ended_at: Timestamp,
    /// The messages of the turn, without summaries. The calls and their results carry the id of this turn.
    pub messages: Vec<Message>,
    /// The uploaded files that the messages refer to. They belong to the owner of the session.
    pub blobs: Vec<BlobId>,
    /// The trace of the caller that originally started the turn, if the caller sent one.
    pub trace: Option<TraceId>,
    /// The purpose of the turn.
    pub kind: TurnKind,
}
