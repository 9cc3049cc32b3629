//! Checkpoints: the state that the owner of a turn stores at a boundary, and from which the next owner continues.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::{
    Anchor, BlobId, CallUid, ChildReport, Chunk, ClaimedTurn, DecidedWait, Entry, LoggedTurn, Message, NewChild,
    NewWait, PartialSave, RawJson, StopReason, Timestamp, TurnId, TurnStatus, Usage,
};

/// One boundary of a turn, written by the turn's owner in one transaction.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    /// The state of the turn machine; `None` once the turn has ended.
    pub machine: Option<RawJson>,
    /// New messages.
    pub messages: Vec<Arc<Entry>>,
    /// New and changed receipts of calls with side effects.
    pub calls: Vec<CallRecord>,
    /// The log entries since the last checkpoint.
    pub chunk: Chunk,
    /// Metadata keys to set in the session.
    pub metadata: Map<String, Value>,
    /// The new title of the session, if it changes.
    pub title: Option<TitleChange>,
    /// The files with the full contents of shortened results in `messages`. They are kept as long as the turn. A file
    /// that is not stored is ignored.
    pub blobs: Vec<BlobId>,
    /// New waits: calls that need a decision from now on.
    pub waits: Vec<NewWait>,
    /// The sub-agent turns that some of `waits` depend on. They are claimed for the same worker.
    pub children: Vec<NewChild>,
    /// Whether the turn can only wait for resolutions. The store releases the turn, unless all are stored
    /// already.
    pub waiting: bool,
    /// Whether earlier checkpoints of the turn stored waits. When the turn ends, its pending waits are denied and the
    /// sub-agent turns below it are asked to stop.
    pub has_waited: bool,
    /// Whether the process is stopping. The store releases the turn, and the next owner continues it.
    pub handed_over: bool,
    /// How the turn ended, and its usage, once it has ended.
    pub end: Option<(TurnStatus, Usage)>,
    /// The report for the call that waits for this turn. Set when the turn of a sub-agent ends.
    pub report: Option<Box<ChildReport>>,
    /// The size of the last request that a provider counted, including these messages; `None` if it is no longer known.
    pub anchor: Option<Anchor>,
    /// Whether the checkpoint is written even if the turn was asked to stop. Set for the checkpoint that handles the
    /// stop request.
    pub despite_stop: bool,
    /// Whether the store deletes the partial saves of the turn. Any of their text that is still needed is in `machine`
    /// or in `messages`.
    pub removes_partials: bool,
    /// Queued turns of the session whose messages this checkpoint adds to the turn, in the order of the messages. Those
    /// turns end.
    pub steered: Vec<TurnId>,
    /// The current time.
    pub at: Timestamp,
}

/// A queued message of a session that is meant for the running turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SteeringMessage {
    /// The turn that the message was accepted as.
    pub turn: TurnId,
    /// The user's message.
    pub message: Message,
}

/// The replacement of a session title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TitleChange {
    /// The expected current title. A session with a different title, which its user set, keeps that title. A session
    /// without a title gets the new one.
    pub from: Box<str>,
    /// The new title.
    pub to: Box<str>,
}

/// The outcome of storing a [`Checkpoint`].
#[derive(Debug, Clone)]
pub enum CheckpointOutcome {
    /// The checkpoint is durable. If the turn ended, the session's next turn was claimed for the same worker.
    Committed {
        /// The next turn of the session, now claimed.
        next: Option<Box<ClaimedTurn>>,
        /// The newest resolution for each waiting call of the last step, in the order of the calls. Set if the turn
        /// waits and all resolutions are stored already: the claim stays valid and the owner continues. `None`: the
        /// turn was released to wait.
        decided: Option<Vec<DecidedWait>>,
        /// Whether the turn continues and the session's queue begins with a message for it.
        is_steered: bool,
        /// The sub-agent turns that begin with this checkpoint.
        children: Vec<ClaimedTurn>,
        /// Unfinished sub-agent turns that were asked to stop because their parent turn has ended.
        stops: Vec<TurnId>,
    },
    /// Nothing was written, because the turn was asked to stop first.
    StopFirst(StopReason),
    /// Nothing was written, because the queue no longer begins with the messages of [`steered`](Checkpoint::steered).
    SteeringChanged,
}

impl CheckpointOutcome {
    /// Returns the outcome of a checkpoint that starts and stops no other turn.
    pub fn committed() -> Self {
        Self::Committed { next: None, decided: None, is_steered: false, children: Vec::new(), stops: Vec::new() }
    }
}

/// The stored state that an owner needs to continue a turn.
#[derive(Debug, Clone)]
pub struct StoredTurn {
    /// The state of the turn machine at the last checkpoint; `None` before the first checkpoint.
    pub machine: Option<RawJson>,
    /// The receipts of the turn's calls, in order.
    pub calls: Vec<CallRecord>,
    /// The log and the messages of the turn.
    pub log: LoggedTurn,
    /// The partial saves of the turn, ordered by step, attempt and save. A save that the store cannot read is empty.
    pub partials: Vec<PartialSave>,
    /// The size of the last request that a provider counted, from the last checkpoint.
    pub anchor: Option<Anchor>,
    /// The newest resolution for each waiting call of the last step, in the order of the calls. Resolutions for other
    /// calls may be missing. The machine may have applied some of these resolutions already.
    pub decided: Vec<DecidedWait>,
    /// Whether the session's queue may begin with messages for the turn.
    pub is_steered: bool,
}

/// The receipt of a call that has side effects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallRecord {
    /// The call.
    pub uid: CallUid,
    /// The name of the tool.
    pub name: String,
    /// The state of the call.
    pub state: CallState,
}

/// The state of a call with side effects. It is stored before the effect happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallState {
    /// The call was started and may have taken effect.
    Started,
    /// The call succeeded.
    Done,
    /// The call failed, was rejected or was cancelled.
    Failed,
    /// The process died before it stored the outcome.
    Unknown,
}
