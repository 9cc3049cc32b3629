//! What the owner of a turn stores at a boundary, and what the next owner continues from.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::{
    Anchor, BlobId, CallUid, ChildReport, Chunk, Claimed, Decision, Entry, LoggedTurn, Message, NewChild, NewWait,
    PartialSave, RawJson, StopReason, Timestamp, TurnId, TurnStatus, Usage,
};

/// One boundary of a turn, written by its owner in one transaction.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    /// Where the machine stands; none once the turn is over.
    pub machine: Option<RawJson>,
    /// New messages.
    pub messages: Vec<Arc<Entry>>,
    /// New and changed receipts.
    pub calls: Vec<CallRecord>,
    /// The log since the last checkpoint.
    pub chunk: Chunk,
    /// Metadata keys to set in the session.
    pub metadata: Map<String, Value>,
    /// The title of the session, if it is to have another.
    pub title: Option<Retitle>,
    /// The files with the whole contents of results among the messages. They are kept as long as the turn is. One that is not
    /// stored is ignored.
    pub blobs: Vec<BlobId>,
    /// Calls that wait for a decision from now on.
    pub waits: Vec<NewWait>,
    /// The turns of sub-agents that some of `waits` wait for. They are claimed for the same worker.
    pub children: Vec<NewChild>,
    /// Whether the turn has nothing else to do than to wait for decisions. It is released, unless all of them are stored
    /// already.
    pub waiting: bool,
    /// Whether earlier checkpoints of the turn stored waits. Those that are pending are denied with its end, and turns of
    /// sub-agents below it are asked to stop.
    pub has_waited: bool,
    /// Whether the process stops: the turn is released, to be continued by the next owner.
    pub handed_over: bool,
    /// How the turn ended, and what it consumed, if it has.
    pub end: Option<(TurnStatus, Usage)>,
    /// With the end of the turn of a sub-agent: what the call reads that waits for it.
    pub report: Option<Box<ChildReport>>,
    /// The size of the last request that a provider counted, with these messages; none if it is not known any more.
    pub anchor: Option<Anchor>,
    /// Whether a turn that was asked to stop may still write this: the answer to that request itself.
    pub despite_stop: bool,
    /// Whether the store deletes the turn's partial saves. Text of theirs that still counts is in the machine or among the
    /// messages.
    pub removes_partials: bool,
    /// Turns of the session's queue whose messages this boundary adds to the turn, in the order of their messages. They end.
    pub steered: Vec<TurnId>,
    /// Now.
    pub at: Timestamp,
}

/// A message in the queue of a session that is for the running turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SteeringMessage {
    /// The turn that it was accepted as.
    pub turn: TurnId,
    /// What the user said.
    pub message: Message,
}

/// A title in the place of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retitle {
    /// The title that the session has unless its user gave it one. A session with another title keeps that; one without any
    /// takes the new one.
    pub from: Box<str>,
    /// The title it gets.
    pub to: Box<str>,
}

/// What became of a [`Checkpoint`].
#[derive(Debug, Clone)]
pub enum Checkpointed {
    /// It is durable. If the turn ended, the session's next turn was claimed for the same worker.
    Committed {
        /// The next turn of the session.
        next: Option<Box<Claimed>>,
        /// If the turn waits: the newest decision about each call of the last step that waits, in the order of calls, when
        /// all of them are stored already. The claim stays, and the owner goes on. `None`: the turn was released to wait.
        decided: Option<Vec<Decision>>,
        /// Whether the turn goes on and the session's queue begins with a message for it.
        is_steered: bool,
        /// The turns of sub-agents that begin with it.
        children: Vec<Claimed>,
        /// The turns of sub-agents that were asked to stop because the turn above them has ended, and are not over.
        stops: Vec<TurnId>,
    },
    /// Nothing was written: the turn was asked to stop first.
    StopFirst(StopReason),
    /// Nothing was written: the queue does not begin with the messages of [`steered`](Checkpoint::steered) any more.
    SteeringChanged,
}

impl Checkpointed {
    /// What becomes of a checkpoint after which nothing follows.
    pub fn committed() -> Self {
        Self::Committed { next: None, decided: None, is_steered: false, children: Vec::new(), stops: Vec::new() }
    }
}

/// Everything its owner needs to continue a turn.
#[derive(Debug, Clone)]
pub struct StoredTurn {
    /// The machine as last checkpointed; none before the first checkpoint.
    pub machine: Option<RawJson>,
    /// The receipts of its calls, in order.
    pub calls: Vec<CallRecord>,
    /// The turn's own log and messages.
    pub log: LoggedTurn,
    /// The turn's partial saves, by step, attempt and order. A save that the store cannot read is empty.
    pub partials: Vec<PartialSave>,
    /// The size of the last request that a provider counted, as last checkpointed.
    pub anchor: Option<Anchor>,
    /// The newest decision about each call of the last step that waits, in the order of calls. Others may be missing, and
    /// its machine may have taken some already.
    pub decided: Vec<Decision>,
    /// Whether the session's queue may begin with messages for the turn.
    pub is_steered: bool,
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

/// Where a call that changes something stands. The row is written before the effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallState {
    /// It may have taken effect.
    Started,
    /// It succeeded.
    Done,
    /// It failed, was refused or was cancelled.
    Failed,
    /// The process died before the outcome was stored.
    Unknown,
}
