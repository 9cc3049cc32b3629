//! A turn as the store keeps it, and what is said to the store about it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    CallUid, Chunk, Entry, Fence, LogEntry, Message, RawJson, Scope, Session, SessionId, SessionName, Timestamp,
};
use crate::{TurnId, TurnPhase, TurnStatus, Usage, WorkerId};

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

/// How many turns of one session may wait for the one that runs. The next is refused.
pub const MOST_QUEUED_TURNS: u32 = 100;

/// What to do with a message for a session whose turn is not over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BusyPolicy {
    /// Run it afterwards, in order. A turn that waits for a person is superseded.
    #[default]
    Enqueue,
    /// Refuse it.
    Reject,
    /// Stop the running turn, end those that wait in the queue, then run it.
    Interrupt,
}

/// What the client that asked for a turn is able to do; by default, nothing but ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClientCaps {
    /// It can answer questions and approve calls. Without it the turn runs headless.
    pub interact: bool,
    /// It can come back to the turn after a disconnect.
    pub resume: bool,
}

/// The client's name for one request, so that sending it twice starts one turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idempotency {
    /// The client's key.
    pub key: Box<str>,
    /// SHA-256 of the request's raw body.
    pub body_sha256: [u8; 32],
}

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

/// The right of a turn's owner to write it. Only a store makes one, by claiming.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    turn: TurnId,
    scope: Scope,
    fence: Fence,
    worker: WorkerId,
}

impl Claim {
    /// For implementations of [`TurnStore`](crate::ports::TurnStore), once the claim is written.
    pub fn granted_by_store(turn: TurnId, scope: Scope, fence: Fence, worker: WorkerId) -> Self {
        Self { turn, scope, fence, worker }
    }

    /// The turn.
    pub fn turn(&self) -> TurnId {
        self.turn
    }

    /// Whose turn it is.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The ownership all writes carry.
    pub fn fence(&self) -> Fence {
        self.fence
    }

    /// The owner. Every write checks it together with the fence.
    pub fn worker(&self) -> &WorkerId {
        &self.worker
    }
}

/// A turn that was claimed.
#[derive(Debug, Clone)]
pub struct Claimed {
    /// The right to write it.
    pub claim: Claim,
    /// Its number in the session.
    pub number: u32,
    /// How many owners have tried what follows its last checkpoint, this one included.
    pub attempts: u32,
    /// Deaths charged to the turn since its last checkpoint.
    pub deaths: Deaths,
    /// The agent that answers.
    pub agent: Box<str>,
    /// What the client can do.
    pub caps: ClientCaps,
    /// Its session, without history.
    pub session: Session,
    /// How many messages the session has, the turn's own included: the key of a cached history.
    pub messages: u32,
    /// When the turn first began to run.
    pub started_at: Timestamp,
    /// Why it should stop, if it was asked to.
    pub stop: Option<StopReason>,
}

/// Processes that died while they ran a turn, since its last checkpoint. Handing a turn over at a stop counts nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Deaths {
    /// How many died.
    pub count: u32,
    /// The turn's share of the blame, in thousandths of a death: a death is shared by all turns that ran at that moment.
    pub blame: u32,
}

impl Deaths {
    /// The blame for one death, where no other turn ran.
    pub const WHOLE: u32 = 1_000;
    /// After so many deaths a turn is suspended: it runs only some time after the next process has begun.
    pub const SUSPICIOUS: u32 = 2;

    /// The blame of each of `turns` that ran when their process died.
    pub fn share(turns: u32) -> u32 {
        (Self::WHOLE / turns.max(1)).max(1)
    }

    /// Adds a death of which the turn bears `blame`.
    #[must_use]
    pub fn and(self, blame: u32) -> Self {
        Self { count: self.count.saturating_add(1), blame: self.blame.saturating_add(blame) }
    }

    /// Clears the turn of its blame: a process died while the turn was suspended.
    #[must_use]
    pub fn acquitted(self) -> Self {
        Self { blame: 0, ..self }
    }
}

/// A turn without an owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unfinished {
    /// The turn.
    pub turn: TurnId,
    /// Deaths charged to it since its last checkpoint.
    pub deaths: Deaths,
}

/// Why an owner lets go of a turn that is not over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Release {
    /// The process stops before the turn has run.
    HandedOver,
    /// The result cannot be stored and must be produced again, which counts as a death of the owner.
    Unsaved,
}

/// Everything its owner needs to continue a turn.
#[derive(Debug, Clone)]
pub struct TurnState {
    /// The machine as last checkpointed; none before the first checkpoint.
    pub machine: Option<RawJson>,
    /// The receipts of its calls, in order.
    pub calls: Vec<CallRecord>,
    /// The turn's own log and messages.
    pub log: LoggedTurn,
}

/// The log of one turn with the messages it refers to.
#[derive(Debug, Clone)]
pub struct LoggedTurn {
    /// The session.
    pub session: SessionId,
    /// The turn.
    pub turn: TurnId,
    /// Its number in the session.
    pub number: u32,
    /// What the client that asked for it can do.
    pub caps: ClientCaps,
    /// Its messages, the user's first. A queued turn has only that one.
    pub messages: Vec<Arc<Entry>>,
    /// Its log, in order.
    pub chunks: Vec<Chunk>,
}

/// Why a turn should stop before it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// Somebody cancelled it.
    Cancelled,
    /// Another message takes its place.
    Superseded,
}

impl StopReason {
    /// The status of a turn that was stopped for this reason.
    pub fn status(self) -> TurnStatus {
        match self {
            Self::Cancelled => TurnStatus::Cancelled,
            Self::Superseded => TurnStatus::Interrupted,
        }
    }
}

/// Where a call that changes something stands. The row is written before the effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallState {
    /// It may have taken effect.
    Started,
    /// It succeeded.
    Done,
    /// It failed, was refused or was cancelled.
    Failed,
    /// Nobody knows.
    Unknown,
}

/// The receipt of a call that changes something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallRecord {
    /// Which call.
    pub uid: CallUid,
    /// The tool.
    pub name: String,
    /// Where it stands.
    pub state: CallState,
}

/// One boundary of a turn, written by its owner in one transaction.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    /// Where the machine stands; none once the turn is over, as nobody goes on with it.
    pub machine: Option<RawJson>,
    /// New messages.
    pub messages: Vec<Arc<Entry>>,
    /// New and changed receipts.
    pub calls: Vec<CallRecord>,
    /// The log since the last checkpoint.
    pub chunk: Chunk,
    /// Metadata keys to set in the session.
    pub metadata: Map<String, Value>,
    /// Whether the turn waits for somebody and is to be released.
    pub waiting: bool,
    /// Whether the process stops: the turn is released, to be continued by the next owner.
    pub handed_over: bool,
    /// How the turn ended, and what it consumed, if it has.
    pub end: Option<(TurnStatus, Usage)>,
    /// Whether a turn that was asked to stop may still write this: the answer to that request itself.
    pub despite_stop: bool,
    /// Now.
    pub at: Timestamp,
}

/// What became of a [`Checkpoint`].
#[derive(Debug, Clone)]
pub enum Checkpointed {
    /// It is durable. If the turn ended, the session's next turn was claimed for the same worker.
    Committed {
        /// The next turn of the session.
        next: Option<Box<Claimed>>,
    },
    /// Nothing was written: the turn was asked to stop first.
    StopFirst(StopReason),
}

/// What became of a request to stop a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelOutcome {
    /// Its owner will end it.
    Stopping,
    /// It had not started and is over now.
    EndedUnstarted,
    /// It was over already.
    AlreadyEnded,
}

impl CancelOutcome {
    /// The phase of a turn after a request to cancel it; `None` for a turn that was over before.
    pub fn phase(self) -> Option<TurnPhase> {
        match self {
            Self::Stopping => Some(TurnPhase::Cancelling),
            Self::EndedUnstarted => Some(TurnPhase::Ended(TurnStatus::Cancelled)),
            Self::AlreadyEnded => None,
        }
    }
}

/// A turn as a list shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnRecord {
    /// The turn.
    pub id: TurnId,
    /// Its session.
    pub session: SessionId,
    /// Its number in the session.
    pub number: u32,
    /// The agent.
    pub agent: Box<str>,
    /// Its phase.
    pub state: TurnPhase,
    /// When it was accepted.
    pub accepted_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// What it consumed; known once it has ended, unless it never began.
    pub usage: Option<Usage>,
    /// The process that runs it. `None` if it waits, was let go, or has ended.
    pub owner: Option<WorkerId>,
}

/// The right to do maintenance over all owners. It yields ids only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sweep {
    worker: WorkerId,
}

impl Sweep {
    /// Maintenance in the name of a worker.
    pub fn by(worker: WorkerId) -> Self {
        Self { worker }
    }

    /// The worker.
    pub fn worker(&self) -> &WorkerId {
        &self.worker
    }
}
