//! Turns as lists show them.

use crate::{LogOutline, SessionId, Timestamp, TraceId, TurnId, TurnKind, TurnOverview, TurnState, Usage, WorkerId};

/// A turn as lists show it, without its messages.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnRecord {
    /// The id of the turn.
    pub id: TurnId,
    /// The session of the turn.
    pub session: SessionId,
    /// The number of the turn in its session.
    pub number: u32,
    /// The agent that answers.
    pub agent: Box<str>,
    /// The state of the turn.
    pub state: TurnState,
    /// When the turn was accepted.
    pub accepted_at: Timestamp,
    /// When the turn ended.
    pub ended_at: Option<Timestamp>,
    /// The usage of the turn. It is known once the turn has ended, unless the turn never began.
    pub usage: Option<Usage>,
    /// The process that runs the turn. `None` if the turn waits, was released, or has ended.
    pub owner: Option<WorkerId>,
    /// The turn that this turn continues. `None` for the first turn of a branch, and for a turn that is queued to
    /// continue the head and has not begun.
    pub after: Option<TurnId>,
    /// The trace that the turn belongs to.
    pub trace: TraceId,
    /// The purpose of the turn.
    pub kind: TurnKind,
    /// Whether the turn is queued with a message for the running turn, which takes the message if it can.
    pub steering: bool,
    /// The turn that this turn's message became part of, if another turn took it.
    pub steered_into: Option<TurnId>,
    /// The parent turn, which waits for this turn, if this is the turn of a sub-agent.
    pub parent: Option<TurnId>,
    /// What remains of the log. `None` while the turn has its log, and for a turn that never had one.
    pub outline: Option<Box<LogOutline>>,
    /// What lists show of the turn, in a [page](crate::ports::TurnPage::overviews) that includes it.
    pub overview: Option<Box<TurnOverview>>,
}
