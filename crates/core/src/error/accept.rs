//! Errors of accepting a turn.

use crate::{SessionId, StoreError};

/// The reason why a turn was rejected. Nothing was stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AcceptError {
    /// The session or the turn does not exist in the caller's scope.
    #[error("{0} not found")]
    NotFound(&'static str),
    /// The agent does not exist.
    #[error("agent: {}", no_agent(agents))]
    NoAgent {
        /// The names of the agents that exist.
        agents: Vec<String>,
    },
    /// A field of the request is invalid.
    #[error("{field}: {reason}")]
    Invalid {
        /// The name of the field.
        field: &'static str,
        /// The reason why the field is invalid.
        reason: String,
    },
    /// A file exceeds the size limit for its type.
    #[error("the file {name} is larger than {limit} bytes, the limit for {media_type}")]
    FileTooLarge {
        /// The name of the file.
        name: Box<str>,
        /// The media type of the file's content.
        media_type: Box<str>,
        /// The size limit in bytes.
        limit: u64,
    },
    /// The type of a file is not supported by any model.
    #[error("the file {name} has type {media_type}; supported types are UTF-8 text, PNG, JPEG, GIF, WebP and PDF")]
    FileUnreadable {
        /// The name of the file.
        name: Box<str>,
        /// The media type of the file's content.
        media_type: Box<str>,
    },
    /// The session is busy with another turn.
    #[error(
        "the session is busy with another turn; wait for it, or send the message with `enqueue`, `interrupt` or `steer`"
    )]
    Busy,
    /// The turn to continue, or to answer again, has not ended.
    #[error("the turn has not ended; wait for it, or cancel it")]
    TurnNotEnded,
    /// The queue of the session is full.
    #[error("the queue of the session is full; cancel a queued turn, or try again later")]
    QueueFull,
    /// The queue for execution slots is full.
    #[error("too many turns are waiting to run; try again later")]
    Overloaded,
    /// The idempotency key was used for a different request.
    #[error("this idempotency key was used for a different request; use a new key")]
    KeyReused,
    /// The idempotency key belongs to a turn whose session was deleted.
    #[error("this idempotency key started a turn of session {0}, which has been deleted")]
    SessionDeleted(SessionId),
    /// Storage failed.
    #[error(transparent)]
    Store(StoreError),
}

fn no_agent(agents: &[String]) -> String {
    match agents {
        [] => "no agents are configured".to_owned(),
        agents => format!("there is no such agent; the agents are {}", agents.join(", ")),
    }
}

impl From<StoreError> for AcceptError {
    fn from(error: StoreError) -> Self {
        use crate::ConflictKind::{
            KeyReused, NotInSession, OwnedBySubAgent, QueueFull, SessionBusy, SessionDeleted, TurnNotEnded,
        };
        match error {
            StoreError::NotFound => Self::NotFound("session"),
            StoreError::Conflict(SessionBusy) => Self::Busy,
            StoreError::Conflict(KeyReused) => Self::KeyReused,
            StoreError::Conflict(SessionDeleted(session)) => Self::SessionDeleted(session),
            StoreError::Conflict(QueueFull) => Self::QueueFull,
            StoreError::Conflict(TurnNotEnded) => Self::TurnNotEnded,
            StoreError::Conflict(NotInSession) => {
                Self::Invalid { field: "after", reason: "the session has no such turn".to_owned() }
            }
            StoreError::Conflict(OwnedBySubAgent) => Self::Invalid {
                field: "session_id",
                reason: "belongs to a sub-agent; continue the session that started it".to_owned(),
            },
            other => Self::Store(other),
        }
    }
}
