//! The rows of the model store.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use turnkit_core::ports::{AcceptedDefinition, ApiKey, PinOwner};
use turnkit_core::{
    Anchor, Blob, BlobId, CallRecord, CallUid, Chunk, Claim, ClientCaps, Consumption, Deaths, Entry, Fence, Grant,
    LogOutline, PartialSave, RawJson, Scope, Session, SessionId, StopReason, StoreError, Timestamp, TraceId, TurnId,
    TurnKind, TurnState, Usage, Wait, WaitId, WorkerId,
};

/// All rows, and their state before the last commit while that commit is not durable.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
    pub(super) sessions: Vec<SessionRow>,
    pub(super) turns: Vec<TurnRow>,
    pub(super) keys: BTreeMap<(Scope, Box<str>), KeyRow>,
    pub(super) api_keys: Vec<ApiKey>,
    pub(super) blobs: Vec<BlobRow>,
    /// Grants, oldest first.
    pub(super) grants: Vec<(Scope, Grant)>,
    /// Accepted definitions of tools, by owner, source and tool.
    pub(super) pins: BTreeMap<(PinOwner, String, String), AcceptedDefinition>,
    /// Usage of users, one row per day, agent, provider and model.
    pub(super) consumed: Vec<(Scope, Consumption)>,
    pub(super) workers: BTreeMap<WorkerId, Held>,
    /// A description of the first write to a turn by a worker that did not own it.
    pub(super) foreign_write: Option<String>,
    pub(super) unsynced: Option<Box<Rows>>,
    /// The number of times the disk was opened.
    pub(super) openings: u64,
}

/// The lease of a registered worker.
#[derive(Debug, Clone)]
pub(super) struct Held {
    /// The start of the first lease in the current unbroken series.
    pub(super) unbroken_since: Timestamp,
    pub(super) until: Timestamp,
}

#[derive(Debug, Clone)]
pub(super) struct SessionRow {
    pub(super) scope: Scope,
    pub(super) session: Session,
    pub(super) title: Box<str>,
    /// The number of the head: the turn that the next one continues.
    pub(super) head: Option<u32>,
    /// Whether the session is unlisted and is removed some time after its last turn.
    pub(super) ephemeral: bool,
    /// For a sub-agent's session: the place of the session whose turn started it.
    pub(super) parent: Option<usize>,
    pub(super) pinned: bool,
    pub(super) archived: bool,
    pub(super) deleted: bool,
}

#[derive(Debug, Clone)]
pub(super) struct TurnRow {
    pub(super) id: TurnId,
    /// The place of the session in `sessions`.
    pub(super) session: usize,
    pub(super) number: u32,
    /// The number of the turn that this one continues.
    pub(super) after: Option<u32>,
    /// Whether the turn continues the turn that is the head when it begins.
    pub(super) continues_head: bool,
    pub(super) agent: Box<str>,
    pub(super) caps: ClientCaps,
    pub(super) state: TurnState,
    pub(super) stop: Option<StopReason>,
    pub(super) fence: Fence,
    pub(super) owner: Option<WorkerId>,
    pub(super) attempts: u32,
    pub(super) deaths: Deaths,
    /// Whether no worker has claimed the turn since a process started after several of these deaths.
    pub(super) suspended: bool,
    /// The messages. The first one is the input, also of a queued turn.
    pub(super) messages: Vec<Arc<Entry>>,
    /// The files named by the input.
    pub(super) blobs: Vec<BlobId>,
    pub(super) machine: Option<RawJson>,
    pub(super) calls: BTreeMap<CallUid, CallRecord>,
    pub(super) chunks: Vec<Chunk>,
    /// Partial saves of incomplete answers.
    pub(super) partials: Vec<PartialSave>,
    /// All partial saves that were acknowledged, including removed ones.
    pub(super) acknowledged_partials: Vec<PartialSave>,
    pub(super) accepted_at: Timestamp,
    pub(super) started_at: Timestamp,
    pub(super) ended_at: Option<Timestamp>,
    pub(super) usage: Option<Usage>,
    /// The trace of the caller.
    pub(super) trace: Option<TraceId>,
    /// The token count that a provider reported for the last request of the branch.
    pub(super) anchor: Option<Anchor>,
    /// The waits of the calls, decided or not.
    pub(super) waits: BTreeMap<WaitId, WaitRow>,
    pub(super) kind: TurnKind,
    pub(super) chore: bool,
    /// Whether the message steers the running turn.
    pub(super) steering: bool,
    /// The turn that took this turn's message.
    pub(super) steered_into: Option<TurnId>,
    /// For a sub-agent's turn: the wait that its end decides.
    pub(super) parent: Option<WaitId>,
    /// What remains of a deleted log.
    pub(super) outline: Option<Box<LogOutline>>,
}

#[derive(Debug, Clone)]
pub(super) struct WaitRow {
    pub(super) wait: Wait,
    pub(super) binding: [u8; 32],
}

#[derive(Debug, Clone)]
pub(super) struct KeyRow {
    pub(super) body_sha256: [u8; 32],
    pub(super) turn: TurnId,
    pub(super) session: SessionId,
    /// The worker that accepted the turn.
    pub(super) worker: WorkerId,
}

#[derive(Debug, Clone)]
pub(super) struct BlobRow {
    pub(super) scope: Scope,
    pub(super) blob: Blob,
    pub(super) content: Bytes,
    pub(super) created_at: Timestamp,
}

impl Rows {
    /// Makes later changes volatile: a crash before the next commit loses them.
    pub(super) fn begin_unsynced(&mut self) {
        let before = Self { unsynced: None, ..self.clone() };
        self.unsynced = Some(Box::new(before));
    }

    /// Records the death of the process that used the disk. Its turns become claimable, and so do waiting turns without
    /// an open wait.
    pub(super) fn record_death(&mut self) {
        self.record_death_of(None);
        for turn in self.turns.iter_mut().filter(|turn| turn.state == TurnState::Waiting && !turn.has_open_waits()) {
            turn.state = TurnState::Running;
        }
    }

    /// Records the death of a worker, or of every worker if `dead` is `None`. Their turns lose their owner and share
    /// the blame.
    pub(super) fn record_death_of(&mut self, dead: Option<&WorkerId>) {
        let is_dead = |owner: &WorkerId| dead.is_none_or(|dead| owner == dead);
        let ran = |turn: &TurnRow| turn.owner.as_ref().is_some_and(is_dead) && turn.state.is_active();
        let share =
            Deaths::share(u32::try_from(self.turns.iter().filter(|turn| ran(turn)).count()).unwrap_or(u32::MAX));
        for turn in self.turns.iter_mut().filter(|turn| turn.state.is_active()) {
            if std::mem::take(&mut turn.suspended) {
                turn.deaths = turn.deaths.without_blame();
            }
            if ran(turn) {
                turn.owner = None;
                turn.deaths = turn.deaths.and(share);
            }
        }
    }

    /// Records a write to the turn by a worker that does not own it.
    pub(super) fn note_foreign_write(&mut self, place: usize, claim: &Claim) {
        let TurnRow { number, fence, owner, .. } = &self.turns[place];
        let owner = owner.as_ref().map_or("no worker", |owner| &owner.0);
        let (writer, claimed) = (&claim.worker().0, claim.fence().0);
        let write =
            format!("{writer} wrote turn {number} under fence {claimed}: {owner} has it under fence {}", fence.0);
        self.foreign_write.get_or_insert(write);
    }

    pub(super) fn session_of(&self, turn: &TurnRow) -> &SessionRow {
        &self.sessions[turn.session]
    }

    pub(super) fn place(&self, turn: TurnId) -> Option<usize> {
        self.turns.iter().position(|row| row.id == turn && !self.session_of(row).deleted)
    }

    pub(super) fn of_user(&self, scope: &Scope, turn: TurnId) -> Result<&TurnRow, StoreError> {
        let found = self.place(turn).map(|place| &self.turns[place]);
        found.filter(|row| self.session_of(row).scope == *scope).ok_or(StoreError::NotFound)
    }

    /// Returns the turn of a session that has begun and not ended.
    pub(super) fn active(&self, session: usize) -> Option<usize> {
        self.turns.iter().position(|turn| turn.session == session && turn.state.is_active())
    }

    /// Returns the turn that has waited longest in a session's queue.
    pub(super) fn first_queued(&self, session: usize) -> Option<usize> {
        self.queued(session).min_by_key(|place| self.turns[*place].number)
    }

    /// Returns the queued turns of a session.
    pub(super) fn queued(&self, session: usize) -> impl Iterator<Item = usize> {
        let queued = move |turn: &TurnRow| turn.session == session && turn.state == TurnState::Queued;
        (0..self.turns.len()).filter(move |place| queued(&self.turns[*place]))
    }

    /// Returns the turns at the head of a session's queue whose messages steer the running turn.
    pub(super) fn steering(&self, session: usize) -> Vec<usize> {
        let mut queue: Vec<usize> = self.queued(session).collect();
        queue.sort_by_key(|place| self.turns[*place].number);
        queue.into_iter().take_while(|place| self.turns[*place].steering).collect()
    }

    /// Returns the turns of the branch that ends with turn number `last` of a session, oldest first.
    pub(super) fn branch(&self, session: usize, last: Option<u32>) -> Vec<&TurnRow> {
        let mut branch: Vec<_> =
            std::iter::successors(self.numbered(session, last), |turn| self.numbered(session, turn.after)).collect();
        branch.reverse();
        branch
    }

    /// Returns the turn of a session with this number.
    pub(super) fn numbered(&self, session: usize, number: Option<u32>) -> Option<&TurnRow> {
        self.turns.iter().find(|turn| turn.session == session && Some(turn.number) == number)
    }
}

impl TurnRow {
    /// Returns `true` if the turn has begun. A turn that was dropped from the queue has not.
    pub(super) fn has_begun(&self) -> bool {
        let was_dropped = (self.stop.is_some() || self.steered_into.is_some()) && self.fence == Fence(0);
        self.state != TurnState::Queued && !was_dropped
    }
}
