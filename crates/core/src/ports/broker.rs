//! How the ones who run turns and the ones who follow them find each other.

use std::sync::Arc;

use super::BoxFuture;
use crate::{BrokerError, LiveTurn, SessionId, Signal, StopReason, TurnId, TurnRegistry, WorkerId};

/// Connects the processes that run turns with those that follow or stop them. Nothing in it would be missed if it were
/// lost: the store has the truth.
pub trait Broker: Send + Sync {
    /// Returns the turns of this process.
    fn turns(&self) -> &TurnRegistry;

    /// Asks another process, which owns a turn, to stop it; a turn of this process is stopped by [`TurnRegistry::stop`]. The
    /// store has the request already, so a message that is lost only delays the stop until the owner's next boundary.
    fn stop(&self, turn: TurnId, owner: &WorkerId, reason: StopReason);

    /// Follows a turn that another process owns. Returns its mirror, which is followed like a turn of this process: its
    /// events and fences are the owner's. If the owner lets go of the turn, dies or is out of reach, the mirror is closed
    /// without the terminal event.
    ///
    /// # Errors
    /// `Unreachable` if the owner does not answer; `NotOwner` if it does not have the turn.
    fn follow<'a>(&'a self, turn: TurnId, owner: &'a WorkerId) -> BoxFuture<'a, Result<Arc<LiveTurn>, BrokerError>>;

    /// What is raised at each change of which turns of the session run and wait, for those who hold it.
    fn changes(&self, session: SessionId) -> Arc<Signal>;

    /// Tells those who hold its [`changes`](Self::changes) that another turn of the session runs or waits than before, or
    /// that the session is gone. The store has it already.
    fn changed(&self, session: SessionId);
}
