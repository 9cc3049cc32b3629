//! The source of new ids.

use uuid::Uuid;

use crate::{BlobId, GrantId, SessionId, Timestamp, TurnId, WorkerId};

/// Generates unique ids that grow with time.
///
/// ```
/// use turnkit_core::{Timestamp, ports::IdSource};
/// use uuid::Uuid;
///
/// struct Fixed;
/// impl IdSource for Fixed {
///     fn uuid(&self, _now: Timestamp) -> Uuid {
///         Uuid::nil()
///     }
/// }
/// assert_eq!(Fixed.turn(Timestamp::default()).to_string(), "00000000-0000-0000-0000-000000000000");
/// ```
pub trait IdSource: Send + Sync {
    /// Returns a version 7 UUID for this time.
    fn uuid(&self, now: Timestamp) -> Uuid;

    /// Returns an id for a worker process that has just started.
    fn worker(&self, now: Timestamp) -> WorkerId {
        WorkerId(self.uuid(now).simple().to_string().into())
    }

    /// Returns an id for a new session.
    fn session(&self, now: Timestamp) -> SessionId {
        SessionId(self.uuid(now))
    }

    /// Returns an id for a new turn.
    fn turn(&self, now: Timestamp) -> TurnId {
        TurnId(self.uuid(now))
    }

    /// Returns an id for an uploaded file.
    fn blob(&self, now: Timestamp) -> BlobId {
        BlobId(self.uuid(now))
    }

    /// Returns an id for a grant.
    fn grant(&self, now: Timestamp) -> GrantId {
        GrantId(self.uuid(now))
    }
}
