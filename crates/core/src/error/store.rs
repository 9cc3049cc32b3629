//! Failures of storage.

use crate::SessionId;

/// Which rule of the store a write would have broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConflictKind {
    /// The session already runs a turn and the caller did not want to queue.
    SessionBusy,
    /// The idempotency key was used for another request.
    KeyReused,
    /// The idempotency key belongs to a turn of this session, which was deleted since.
    SessionDeleted(SessionId),
    /// [`MOST_QUEUED_TURNS`](crate::MOST_QUEUED_TURNS) turns of the session wait already.
    QueueFull,
    /// Another session of the owner has the name, or has it for its id.
    NameTaken,
    /// The turn is not over.
    TurnNotOver,
    /// The session has no such turn.
    NotInSession,
    /// The session is that of a sub-agent: only the turns above it add turns.
    OfSubAgent,
}

/// A failed read or write. Nothing was half done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Another worker owns the turn, or the worker is not registered any more: it stops and writes nothing.
    #[error("another worker owns this turn now, or this worker is not registered any more")]
    Fenced,
    /// No such thing for this owner.
    #[error("not found")]
    NotFound,
    /// A rule would have been broken.
    #[error("conflict: {0:?}")]
    Conflict(ConflictKind),
    /// There is no room at this path: what was to be written is not.
    #[error("the disk is full: free some space for {0}, then try again; nothing that was stored is lost")]
    Full(String),
    /// The store cannot be written: a read-only file or file system.
    #[error("the database is read-only: {0}")]
    ReadOnly(String),
    /// The store cannot be reached, or is too busy.
    #[error("storage is unavailable: {0}")]
    Unavailable(String),
    /// What was read is not what was written.
    #[error("the database is damaged: {0}")]
    Corrupt(String),
    /// A version that was never released wrote the data.
    #[error(
        "{path} has schema {found}, written by a version that was never released; this version reads schema {oldest} and \
         later. Nothing was changed: move the file away to begin with an empty one"
    )]
    OlderSchema {
        /// Where the data is.
        path: String,
        /// The schema of the data.
        found: u32,
        /// The oldest schema this version reads.
        oldest: u32,
    },
    /// A newer version of the program wrote the data.
    #[error("{path} has schema {found}, this version knows up to {known}: use a newer turnkit")]
    NewerSchema {
        /// Where the data is.
        path: String,
        /// The schema of the data.
        found: u32,
        /// The newest schema this version knows.
        known: u32,
    },
}
