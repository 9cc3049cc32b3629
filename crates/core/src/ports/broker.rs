//! Connections between the processes that run turns and those that follow them.

use std::sync::Arc;

use super::BoxFuture;
use crate::{BrokerError, LiveTurn, SessionId, Signal, StopReason, TurnId, TurnRegistry, WorkerId};

/// Connects the processes that run turns with those that follow or stop them. It holds no state that would be missed
/// after a loss: the store is authoritative.
pub trait Broker: Send + Sync {
    /// Returns the turns of this process.
    fn turns(&self) -> &TurnRegistry;

    /// Asks another process to stop a turn that it owns; [`TurnRegistry::stop`] stops turns of this process. The store
    /// already holds the request, so a lost message only delays the stop until the owner's next boundary.
    fn stop(&self, turn: TurnId, owner: &WorkerId, reason: StopReason);

    /// Follows a turn that another process owns. Returns its mirror, which is followed like a turn of this process: its
    /// events and fences are those of the owner. If the owner releases the turn, dies or becomes unreachable, the
    /// mirror is closed without the terminal event.
    ///
    /// # Errors
    /// `Unreachable` if the owner does not answer; `NotOwner` if it does not have the turn.
    fn follow<'a>(&'a self, turn: TurnId, owner: &'a WorkerId) -> BoxFuture<'a, Result<Arc<LiveTurn>, BrokerError>>;

    /// Returns the signal that is raised each time the running or queued turns of the session change, or a wait of one
    /// of its turns is decided.
    fn changes(&self, session: SessionId) -> Arc<Signal>;

    /// Raises the signal returned by [`changes`](Self::changes), because the running or queued turns of the session
    /// have changed, a wait of one of its turns was decided, or the session was deleted. The change is already stored.
    fn changed(&self, session: SessionId);
}
