//! Compaction by hand: a turn that puts a summary in the place of earlier messages.

use turnkit_core::{
    AcceptError, BusyPolicy, ClientCaps, Idempotency, Message, Notice, Part, Role, Scope, SessionId, SessionKey,
    TraceId, TurnKind,
};

use super::accept::Purpose;
use super::{Receipt, TurnRequest, TurnService};

/// A session whose earlier messages are to be summarised.
#[derive(Debug, Clone)]
pub struct CompactRequest {
    /// The session.
    pub session: SessionId,
    /// What the client can do.
    pub caps: ClientCaps,
    /// Protection against sending twice.
    pub idempotency: Option<Idempotency>,
    /// The caller's trace; absent: a trace of the turn's own.
    pub trace: Option<TraceId>,
}

impl TurnService {
    /// Accepts a turn that has the earlier messages of the session's head branch summarised. The newest messages stay, and
    /// the session keeps all of them: only what models are sent changes. In a busy session the turn waits, whatever the agent
    /// says of messages.
    ///
    /// # Errors
    /// As [`accept`](Self::accept). Nothing is stored.
    pub async fn compact(&self, scope: &Scope, request: CompactRequest) -> Result<Receipt, AcceptError> {
        let notice = Notice {
            code: "compact".to_owned(),
            text: "the earlier messages are to be summarised".to_owned(),
            error: false,
        };
        let message = Message::new(Role::User, vec![Part::Notice(notice)]);
        let turn = TurnRequest {
            caps: request.caps,
            busy: Some(BusyPolicy::Enqueue),
            idempotency: request.idempotency,
            trace: request.trace,
            ..TurnRequest::new(SessionKey::Id(request.session), message)
        };
        self.accept_valid(scope, turn, Purpose::OfUser(TurnKind::Compact)).await
    }
}
