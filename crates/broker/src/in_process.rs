//! The broker of a single process.

use std::sync::Arc;

use turnkit_core::ports::{BoxFuture, Broker};
use turnkit_core::{BrokerError, LiveTurn, SessionId, Signal, StopReason, TurnId, TurnRegistry, WorkerId};

use crate::signals::Signals;

/// Broker of a single process. Every turn that runs has its owner in this process; other processes cannot be reached.
///
/// ```
/// use turnkit_broker::InProcess;
/// use turnkit_core::ports::Broker;
/// use turnkit_core::{StopReason, TurnId};
///
/// let (broker, turn) = (InProcess::default(), TurnId::default());
/// let run = broker.turns().begin_run(turn, None);
/// assert!(broker.turns().stop(turn, StopReason::Cancelled));
/// assert_eq!(run.stop().reason(), Some(StopReason::Cancelled));
/// ```
#[derive(Default)]
pub struct InProcess {
    turns: TurnRegistry,
    signals: Signals,
}

impl Broker for InProcess {
    fn turns(&self) -> &TurnRegistry {
        &self.turns
    }

    fn stop(&self, _: TurnId, _: &WorkerId, _: StopReason) {}

    fn follow<'a>(&'a self, _: TurnId, owner: &'a WorkerId) -> BoxFuture<'a, Result<Arc<LiveTurn>, BrokerError>> {
        Box::pin(async { Err(BrokerError::Unreachable(owner.clone())) })
    }

    fn changes(&self, session: SessionId) -> Arc<Signal> {
        self.signals.of(session)
    }

    fn changed(&self, session: SessionId) {
        self.signals.raise(session);
    }
}
