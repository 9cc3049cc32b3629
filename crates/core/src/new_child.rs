//! The turn of a sub-agent as a checkpoint stores it.

use crate::{Accept, ChildPlace, WaitId};

/// The turn of a sub-agent, stored and claimed with the checkpoint of the turn that waits for it.
#[derive(Debug, Clone)]
pub struct NewChild {
    /// What its end decides.
    pub wait: WaitId,
    /// The turn, in a new session or in a child session of the same session. A session that is gone or busy is replaced by a
    /// new one.
    pub accept: Accept,
}

impl NewChild {
    /// Where the turn will be found.
    pub fn place(&self) -> ChildPlace {
        ChildPlace { turn: self.accept.turn, agent: self.accept.agent.to_string() }
    }
}
