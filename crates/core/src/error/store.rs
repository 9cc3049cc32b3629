//! Errors of the store.

use crate::SessionId;

/// The rule that a rejected write would have broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum ConflictKind {
    /// The session already runs a turn, and the caller chose not to queue.
    #[error("the session already runs a turn")]
    SessionBusy,
    /// The idempotency key was used for a different request.
    #[error("the idempotency key was used for a different request")]
    KeyReused,
    /// The idempotency key belongs to a turn of this session, which has been deleted since.
    #[error("the session {0} of this idempotency key has been deleted")]
    SessionDeleted(SessionId),
    /// The session already has [`MAX_QUEUED_TURNS`](crate::MAX_QUEUED_TURNS) queued turns.
    #[error("the queue of the session is full")]
    QueueFull,
    /// Another session in the scope has this name, or has it as its id.
    #[error("another session has this name")]
    NameTaken,
    /// The turn has not ended.
    #[error("the turn has not ended")]
    TurnNotEnded,
    /// The session has no such turn.
    #[error("the session has no such turn")]
    NotInSession,
    /// The session belongs to a sub-agent. Only its ancestor turns can add turns to it.
    #[error("the session belongs to a sub-agent")]
    OwnedBySubAgent,
}

/// A failed read or write. No write is partial.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Another worker owns the turn, or the worker is no longer registered. It must stop and write nothing.
    #[error("another worker owns this turn now, or this worker is no longer registered")]
    Fenced,
    /// The item does not exist in this scope.
    #[error("not found")]
    NotFound,
    /// The write would have broken a rule of the store.
    #[error("conflict: {0}")]
    Conflict(ConflictKind),
    /// The disk at this path is full. Nothing was written.
    #[error("the disk is full: free some space for {0}, then try again; nothing that was stored is lost")]
    Full(String),
    /// The store is read-only: a read-only file or file system.
    #[error("the database is read-only: {0}")]
    ReadOnly(String),
    /// The store cannot be reached, or is too busy.
    #[error("storage is unavailable: {0}")]
    Unavailable(String),
    /// The stored data is damaged.
    #[error("the database is damaged: {0}")]
    Corrupt(String),
    /// The data was written by a version that was never released.
    #[error(
        "{path} has schema {found}, written by a version that was never released; this version reads schema {oldest} and \
         later. Nothing was changed: move the file away to begin with an empty one"
    )]
    OlderSchema {
        /// The path of the data.
        path: String,
        /// The schema version of the data.
        found: u32,
        /// The oldest schema version that this version reads.
        oldest: u32,
    },
    /// The data was written by a newer version of the program.
    #[error("{path} has schema {found}, this version knows up to {known}: use a newer turnkit")]
    NewerSchema {
        /// The path of the data.
        path: String,
        /// The schema version of the data.
        found: u32,
        /// The newest schema version that this version supports.
        known: u32,
    },
}
