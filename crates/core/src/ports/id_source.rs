//! Where ids come from.

use uuid::Uuid;

use crate::{BlobId, GrantId, SessionId, Timestamp, TurnId, WorkerId};

/// Makes ids that grow with time and never repeat.
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
    /// A version 7 UUID for this moment.
    fn uuid(&self, now: Timestamp) -> Uuid;

    /// An id for a process that executes turns and has just started.
    fn worker(&self, now: Timestamp) -> WorkerId {
        WorkerId(self.uuid(now).simple().to_string().into())
    }

    /// An id for a new session.
    fn session(&self, now: Timestamp) -> SessionId {
        SessionId(self.uuid(now))
    }

    /// An id for a new turn.
    fn turn(&self, now: Timestamp) -> TurnId {
        TurnId(self.uuid(now))
    }

    /// An id for a file that is uploaded.
    fn blob(&self, now: Timestamp) -> BlobId {
        BlobId(self.uuid(now))
    }

    /// An id for a grant.
    fn grant(&self, now: Timestamp) -> GrantId {
        GrantId(self.uuid(now))
    }
}
