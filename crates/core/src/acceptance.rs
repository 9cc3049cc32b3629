//! Requests to the store to accept a turn, and their outcomes.

use crate::{
    AgentReach, BlobId, ClaimedTurn, ClientCaps, LogEntry, Message, Recorded, SessionId, SessionName, Timestamp,
    TraceId, TurnId, TurnKind, WorkerId,
};

/// A turn to store. If its session is idle, the store claims the turn for `worker` in the same transaction.
#[derive(Debug, Clone)]
pub struct NewTurn {
    /// The id of the new turn.
    pub turn: TurnId,
    /// The session of the turn.
    pub session: SessionKey,
    /// The id of the session if one is created.
    pub new_session: SessionId,
    /// The agent that answers.
    pub agent: Box<str>,
    /// The user's message.
    pub input: Message,
    /// The uploaded files that `input` refers to. They are kept as long as the turn.
    pub blobs: Vec<BlobId>,
    /// The title of the session if one is created.
    pub title: Box<str>,
    /// The capabilities of the client.
    pub caps: ClientCaps,
    /// What to do if the session is busy.
    pub busy: BusyPolicy,
    /// The agents whose turns the message may steer or stop. While the session has an unfinished turn of another agent,
    /// the message waits as with [`Enqueue`](BusyPolicy::Enqueue) instead of interrupting or steering, and it does not
    /// supersede that turn. Chores are stopped nevertheless.
    pub reach: AgentReach,
    /// The idempotency key of the request. A repeated request starts no second turn.
    pub idempotency: Option<Idempotency>,
    /// The `turn.started` entry: event 1 of the turn's log.
    pub started: LogEntry,
    /// The worker that executes the turn.
    pub worker: WorkerId,
    /// The current time.
    pub at: Timestamp,
    /// The point in the session that the turn continues from.
    pub after: BranchPoint,
    /// Whether the turn is a chore: a turn that the service starts by itself in an idle session. While it runs, a
    /// message to its session is accepted as if the session were idle, and stops it.
    pub chore: bool,
}

impl NewTurn {
    /// Returns the caller's trace, if the client sent one.
    pub fn caller_trace(&self) -> Option<TraceId> {
        self.started.trace()
    }

    /// Reports whether the message may be added to the running turn. A turn that does not answer a message, or that
    /// does not continue the head, runs on its own, as with [`Enqueue`](BusyPolicy::Enqueue).
    pub fn is_steering(&self) -> bool {
        self.busy == BusyPolicy::Steer && self.after == BranchPoint::Head && self.kind().is_message()
    }

    /// Returns the purpose of the turn.
    pub fn kind(&self) -> TurnKind {
        match &self.started.kind {
            Recorded::TurnStarted { kind, .. } => *kind,
            _ => TurnKind::Message,
        }
    }
}

/// The point in a session that a new turn continues from. The new turn becomes the session's head when it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BranchPoint {
    /// The head of the session at the time the new turn begins.
    #[default]
    Head,
    /// No turn: the new turn begins a branch without history.
    Beginning,
    /// This turn of the session, which must have ended. If that turn was dropped from the queue, it is replaced by the
    /// turn that it was to continue, or else by the last turn that began before it.
    After(TurnId),
}

/// The outcome of accepting a [`NewTurn`].
#[derive(Debug, Clone)]
pub enum AcceptOutcome {
    /// The session was idle. The turn runs and is owned by the caller.
    Running(Box<ClaimedTurn>),
    /// The turn is queued behind another turn of its session.
    Queued {
        /// The session of the turn.
        session: SessionId,
        /// The session's name, as the client chose it.
        name: Option<SessionName>,
        /// The number of the turn in its session.
        number: u32,
        /// The turn of the session that must be stopped for the new turn.
        stop: Option<TurnId>,
        /// Queued turns of the session that ended because of the new turn, oldest first.
        superseded: Vec<TurnId>,
    },
    /// The same request was accepted before.
    Repeated(Repeat),
}

/// The turn that an earlier request with the same idempotency key started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeat {
    /// The turn.
    pub turn: TurnId,
    /// The session of the turn.
    pub session: SessionId,
    /// The session's name, as the client chose it.
    pub name: Option<SessionName>,
}

/// Selects the session of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionKey {
    /// A new session.
    New,
    /// An existing session, by its id.
    Id(SessionId),
    /// The session whose id is this text, or else the session with this name. It is created if neither exists.
    Name(SessionName),
    /// A new session for this turn alone, beginning with the messages that the client sent as history. It is not
    /// listed, and is removed some time after its last turn.
    Ephemeral(Vec<Message>),
}

/// How to treat a message for a session with an unfinished turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BusyPolicy {
    /// Queue the new turn and run it in order. The active turn is superseded if it, or the turn of a sub-agent below
    /// it, waits for a decision.
    #[default]
    Enqueue,
    /// Reject the message.
    Reject,
    /// Stop the running turn, end the queued turns, then run the new turn.
    Interrupt,
    /// Add the message to the running turn before its next model call. If the turn ends first, run a new turn for the
    /// message, in order. An active turn that waits for a decision is not superseded.
    Steer,
}

/// The most queued turns of one session. Further turns are rejected.
pub const MAX_QUEUED_TURNS: u32 = 100;

/// A client's idempotency key for one request, so that sending the request twice starts only one turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idempotency {
    /// The key that the client chose.
    pub key: Box<str>,
    /// SHA-256 of the request's raw body.
    pub body_sha256: [u8; 32],
}
