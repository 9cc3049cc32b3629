//! New sub-agent turns, as a checkpoint stores them.

use crate::{ChildId, NewTurn, WaitId};

/// A sub-agent turn, stored and claimed with the checkpoint of the turn that waits for it.
#[derive(Debug, Clone)]
pub struct NewChild {
    /// The wait that the end of the turn decides.
    pub wait: WaitId,
    /// The turn to accept, in a new session or in a child session of the same session. A session that is deleted or
    /// busy is replaced by a new one.
    pub accept: NewTurn,
}

impl NewChild {
    /// Returns the identity of the turn.
    pub fn id(&self) -> ChildId {
        ChildId { turn: self.accept.turn, agent: self.accept.agent.to_string() }
    }
}
