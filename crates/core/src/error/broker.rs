//! Failures to reach the owner of a turn.

use crate::WorkerId;

/// Why a turn of another process cannot be followed from this process. Its durable state can still be read from the
/// store.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BrokerError {
    /// The owner did not answer, or there is no connection to it.
    #[error("worker {} cannot be reached; read the turn from the store, or try again", .0.0)]
    Unreachable(WorkerId),
    /// The process that was asked does not run the turn, or no longer runs it.
    #[error("worker {} does not own the turn; look up its owner in the store", .0.0)]
    NotOwner(WorkerId),
}
