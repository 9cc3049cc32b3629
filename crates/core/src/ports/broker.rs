//! How the ones who run turns and the ones who follow them find each other.

use std::sync::Arc;

use crate::{SessionId, Signal, StopReason, TurnId, TurnRegistry};

/// Connects the processes that run turns with those that follow or stop them. Nothing in it would be missed if it were
/// lost: the store has the truth.
pub trait Broker: Send + Sync {
    /// Returns the turns of this process.
    fn turns(&self) -> &TurnRegistry;

    /// Asks the owner of a turn, wherever it runs, to stop it. The store has the request already. Returns `true` if nothing
    /// is left to do, as [`TurnRegistry::stop`] does.
    fn stop(&self, turn: TurnId, reason: StopReason) -> bool;

    /// What is raised at each change of which turns of the session run and wait, for those who hold it.
    fn changes(&self, session: SessionId) -> Arc<Signal>;

    /// Tells those who hold its [`changes`](Self::changes) that another turn of the session runs or waits than before, or
    /// that the session is gone. The store has it already.
    fn changed(&self, session: SessionId);
}
