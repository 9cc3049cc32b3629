//! Manual compaction: a turn that replaces earlier messages with a summary.

use turnkit_core::{
    AcceptError, AgentReach, BusyPolicy, ClientCaps, Idempotency, Message, Notice, Part, Role, Scope, SessionId,
    SessionKey, TraceId, TurnKind,
};

use super::accept::Purpose;
use super::{Receipt, TurnRequest, TurnService};

/// A request to summarise the earlier messages of a session.
#[derive(Debug, Clone)]
pub struct CompactRequest {
    /// The session.
    pub session: SessionId,
    /// The capabilities of the client.
    pub caps: ClientCaps,
    /// The agents whose turns may be stopped for the summary.
    pub reach: AgentReach,
    /// Makes a repeated request return the turn of the first one.
    pub idempotency: Option<Idempotency>,
    /// The caller's trace; absent: the turn starts its own trace.
    pub trace: Option<TraceId>,
}

impl TurnService {
    /// Accepts a turn that summarises the earlier messages of the session's head branch. The newest messages stay, and
    /// the session keeps all of them: only what is sent to models changes. If the session is busy, the turn waits,
    /// whatever the agent's policy for messages.
    ///
    /// # Errors
    /// See [`accept`](Self::accept). Nothing is stored.
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
            reach: request.reach,
            idempotency: request.idempotency,
            trace: request.trace,
            ..TurnRequest::new(SessionKey::Id(request.session), message)
        };
        self.accept_valid(scope, turn, Purpose::OfUser(TurnKind::Compact)).await
    }
}
