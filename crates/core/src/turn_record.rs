//! A turn as a list shows it.

use crate::{SessionId, Timestamp, TraceId, TurnId, TurnKind, TurnState, Usage, WorkerId};

/// A turn as a list shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnRecord {
    /// The turn.
    pub id: TurnId,
    /// Its session.
    pub session: SessionId,
    /// Its number in the session.
    pub number: u32,
    /// The agent.
    pub agent: Box<str>,
    /// Its state.
    pub state: TurnState,
    /// When it was accepted.
    pub accepted_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// What it consumed; known once it has ended, unless it never began.
    pub usage: Option<Usage>,
    /// The process that runs it. `None` if it waits, was let go, or has ended.
    pub owner: Option<WorkerId>,
    /// The turn it continues. `None` for the first turn of a branch, and for a turn queued for the head that has not begun.
    pub after: Option<TurnId>,
    /// The trace that it belongs to.
    pub trace: TraceId,
    /// Its purpose.
    pub kind: TurnKind,
    /// The turn that its message became part of, if another turn took it.
    pub steered_into: Option<TurnId>,
}
