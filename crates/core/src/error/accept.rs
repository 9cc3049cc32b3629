//! Why a turn was not accepted.

use crate::{SessionId, StoreError};

/// Why a turn was not accepted. Nothing was stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AcceptError {
    /// The session, the turn or the agent does not exist for this owner.
    #[error("{0} not found")]
    NotFound(&'static str),
    /// A field of the request is wrong.
    #[error("{field}: {why}")]
    Invalid {
        /// The field.
        field: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// A file is larger than a turn takes files of its type.
    #[error("the file {name} is larger than {limit} bytes, the most that a turn takes of {media_type}")]
    FileTooLarge {
        /// Its name.
        name: Box<str>,
        /// The media type of its content.
        media_type: Box<str>,
        /// The most bytes.
        limit: u64,
    },
    /// A file is of a type that no model reads.
    #[error("the file {name} is {media_type}: a turn takes UTF-8 text, PNG, JPEG, GIF, WebP and PDF")]
    FileUnreadable {
        /// Its name.
        name: Box<str>,
        /// The media type of its content.
        media_type: Box<str>,
    },
    /// The session runs another turn.
    #[error("the session is busy with another turn")]
    Busy,
    /// The turn to continue, or to answer again, is not over.
    #[error("the turn is not over: wait for its end, or cancel it")]
    TurnNotOver,
    /// As many turns of the session wait as may.
    #[error("too many turns are waiting in this session")]
    QueueFull,
    /// As many turns wait for a slot as may.
    #[error("too many turns are waiting to run")]
    Overloaded,
    /// The idempotency key belongs to another request.
    #[error("this idempotency key was used for a different request")]
    KeyReused,
    /// The idempotency key belongs to a turn whose session was deleted.
    #[error("this idempotency key started a turn of session {0}, which has been deleted")]
    SessionDeleted(SessionId),
    /// Storage failed.
    #[error(transparent)]
    Store(StoreError),
}

impl From<StoreError> for AcceptError {
    fn from(error: StoreError) -> Self {
        use crate::ConflictKind::{
            KeyReused, NotInSession, OfSubAgent, QueueFull, SessionBusy, SessionDeleted, TurnNotOver,
        };
        match error {
            StoreError::NotFound => Self::NotFound("session"),
            StoreError::Conflict(SessionBusy) => Self::Busy,
            StoreError::Conflict(KeyReused) => Self::KeyReused,
            StoreError::Conflict(SessionDeleted(session)) => Self::SessionDeleted(session),
            StoreError::Conflict(QueueFull) => Self::QueueFull,
            StoreError::Conflict(TurnNotOver) => Self::TurnNotOver,
            StoreError::Conflict(NotInSession) => {
                Self::Invalid { field: "after", why: "the session has no such turn".to_owned() }
            }
            StoreError::Conflict(OfSubAgent) => Self::Invalid {
                field: "session",
                why: "a sub-agent has it: continue the session that started the sub-agent".to_owned(),
            },
            other => Self::Store(other),
        }
    }
}
