//! How the ones who run turns and the ones who follow them find each other.

use std::sync::Arc;

use crate::{LiveTurn, SessionId, Signal, StopReason, TurnId};

/// Knows the turns that run now. Nothing in it would be missed if it were lost: the store has the truth.
pub trait Broker: Send + Sync {
    /// A turn can be followed from now on. If it can be already, the live turn that is there stays and is given back.
    fn open(&self, turn: TurnId, live: Arc<LiveTurn>) -> Arc<LiveTurn>;

    /// The turn has a new owner, or its old one begins anew: whoever followed the live turn that was there comes to its
    /// end and finds this one. Gives the one that was there: it may have been asked to stop.
    fn replace(&self, turn: TurnId, live: Arc<LiveTurn>) -> Option<Arc<LiveTurn>>;

    /// The live turn, if one of this process's turns, or a recent one, has this id.
    fn find(&self, turn: TurnId) -> Option<Arc<LiveTurn>>;

    /// Its owner writes no more: whoever follows reads to the end of what is there. It may be found for a while yet if
    /// its terminal event was written, otherwise it is forgotten.
    fn close(&self, turn: TurnId);

    /// Tells the owner of a turn, wherever it runs, to stop it.
    fn stop(&self, turn: TurnId, reason: StopReason);

    /// What is raised at each change of which turns of the session run and wait, for those who hold it.
    fn changes(&self, session: SessionId) -> Arc<Signal>;

    /// Tells those who hold its [`changes`](Self::changes) that another turn of the session runs or waits than before, or
    /// that the session is gone. The store has it already.
    fn changed(&self, session: SessionId);
}
