//! A turn that a caller asks the store to accept, and what becomes of it.

use crate::{
    BlobId, Claimed, ClientCaps, LogEntry, Message, Recorded, SessionId, SessionName, Timestamp, TraceId, TurnId,
    TurnKind, WorkerId,
};

/// A turn to be stored. If its session is idle it is claimed for `worker` in the same transaction.
#[derive(Debug, Clone)]
pub struct Accept {
    /// The new turn's id.
    pub turn: TurnId,
    /// Its session.
    pub session: SessionKey,
    /// The id the session gets if it is new.
    pub new_session: SessionId,
    /// The agent that answers.
    pub agent: Box<str>,
    /// What the user said.
    pub input: Message,
    /// The uploaded files that `input` names. They are kept as long as the turn is.
    pub blobs: Vec<BlobId>,
    /// The title the session gets if it is new.
    pub title: Box<str>,
    /// What the client can do.
    pub caps: ClientCaps,
    /// What to do if the session is busy.
    pub busy: BusyPolicy,
    /// Protection against sending twice.
    pub idempotency: Option<Idempotency>,
    /// The `turn.started` entry: event 1 of the turn's log.
    pub started: LogEntry,
    /// Who executes it.
    pub worker: WorkerId,
    /// Now.
    pub at: Timestamp,
    /// Which turn of the session it continues.
    pub after: BranchPoint,
    /// Whether it is a chore: a turn that the service makes itself in an idle session. While it runs, a message to its
    /// session is accepted as if the session were idle, and stops it.
    pub chore: bool,
}

impl Accept {
    /// The caller's trace, if the client named one.
    pub fn caller_trace(&self) -> Option<TraceId> {
        self.started.trace()
    }

    /// Reports whether the running turn may take the message. A turn that does not answer a message, or that continues
    /// another turn than the head, runs for itself, as with [`Enqueue`](BusyPolicy::Enqueue).
    pub fn is_steering(&self) -> bool {
        self.busy == BusyPolicy::Steer && self.after == BranchPoint::Head && self.kind().is_message()
    }

    /// The purpose of the turn.
    pub fn kind(&self) -> TurnKind {
        match &self.started.kind {
            Recorded::TurnStarted { kind, .. } => *kind,
            _ => TurnKind::Message,
        }
    }
}

/// Which turn of its session a new turn continues. The new turn becomes the session's head when it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BranchPoint {
    /// The head of the session at the time the turn begins.
    #[default]
    Head,
    /// None: the turn begins a branch without history.
    Beginning,
    /// This turn of the session, which must be over. A turn dropped from the queue stands for the turn it asked to
    /// continue, or else for the last one that began before it.
    After(TurnId),
}

/// What became of an [`Accept`].
#[derive(Debug, Clone)]
pub enum Accepted {
    /// The session was idle: the turn runs, and is the caller's.
    Running(Box<Claimed>),
    /// It waits for its session.
    Queued {
        /// Its session.
        session: SessionId,
        /// The client's own name for the session.
        name: Option<SessionName>,
        /// Its number in the session.
        number: u32,
        /// The turn of the session that is to be stopped for it.
        stop: Option<TurnId>,
        /// Turns of the session's queue that ended for it, oldest first.
        superseded: Vec<TurnId>,
    },
    /// The same request was accepted before.
    Repeated(Repeat),
}

/// What a request started that was accepted before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeat {
    /// The turn.
    pub turn: TurnId,
    /// Its session.
    pub session: SessionId,
    /// The client's own name for the session.
    pub name: Option<SessionName>,
}

/// Which session a turn belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionKey {
    /// A new one.
    New,
    /// An existing one, by our id.
    Id(SessionId),
    /// The one the client calls so: the session whose id this text is, else the one of this name. Made if there is none.
    Name(SessionName),
    /// A new one for this turn alone, begun with what the client says was said before. It is not listed, and removed some
    /// time after its last turn.
    Ephemeral(Vec<Message>),
}

/// What to do with a message for a session whose turn is not over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BusyPolicy {
    /// Run it afterwards, in order. A turn is superseded if it, or a turn of a sub-agent below it, waits for a decision.
    #[default]
    Enqueue,
    /// Refuse it.
    Reject,
    /// Stop the running turn, end those that wait in the queue, then run it.
    Interrupt,
    /// Add it to the running turn before the next model call, unless the turn ends before that: then run it afterwards, in
    /// order. A turn that waits for a decision is not superseded.
    Steer,
}

/// How many turns of one session may wait for the one that runs. The next is refused.
pub const MOST_QUEUED_TURNS: u32 = 100;

/// The client's name for one request, so that sending it twice starts one turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idempotency {
    /// The client's key.
    pub key: Box<str>,
    /// SHA-256 of the request's raw body.
    pub body_sha256: [u8; 32],
}
