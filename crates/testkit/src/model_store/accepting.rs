//! Accepting turns.

use std::collections::BTreeMap;

use turnkit_core::{
    AcceptOutcome, BranchPoint, BusyPolicy, Chunk, ConflictKind, Deaths, Denial, Entry, Fence, Idempotency,
    MAX_QUEUED_TURNS, NewTurn, Repeat, Scope, Session, SessionKey, SessionName, StopReason, StoreError, Timestamp,
    TurnId, TurnState, WorkerId,
};

use super::Flaw;
use super::disk::{KeyRow, Rows, SessionRow, TurnRow};

/// Returns the turn if the acceptance created it and it runs.
pub(super) fn new_turn(accepted: &AcceptOutcome) -> Option<TurnId> {
    match accepted {
        AcceptOutcome::Running(claimed) => Some(claimed.claim.turn()),
        AcceptOutcome::Queued { .. } | AcceptOutcome::Repeated(_) => None,
    }
}

impl Rows {
    pub(super) fn accept(
        &mut self,
        scope: &Scope,
        mut accept: NewTurn,
        flaw: Option<Flaw>,
    ) -> Result<AcceptOutcome, StoreError> {
        if let Some(used) = &accept.idempotency
            && self.is_key_known(scope, used, &accept.worker, flaw)
            && let Some(repeat) = self.find_accepted(scope, used)?
        {
            return Ok(AcceptOutcome::Repeated(repeat));
        }
        let found = self.find_session(scope, &accept.session)?;
        if found.is_some_and(|session| self.sessions[session].parent.is_some()) {
            return Err(StoreError::Conflict(ConflictKind::OwnedBySubAgent));
        }
        let after = self.branch_point(found, accept.after)?;
        let active = found.and_then(|session| self.active(session));
        let queue = found.and_then(|session| self.first_queued(session));
        let busy = (active.is_some() || queue.is_some()) && flaw != Some(Flaw::NoQueue);
        if accept.chore && found.is_none_or(|session| self.sessions[session].ephemeral) {
            return Err(StoreError::NotFound);
        }
        let is_reached = |place: usize| accept.reach.covers(&self.turns[place].agent);
        let reaches_active = active.is_none_or(is_reached);
        let reaches_all = reaches_active && found.is_none_or(|session| self.queued(session).all(is_reached));
        if !reaches_all && matches!(accept.busy, BusyPolicy::Interrupt | BusyPolicy::Steer) {
            accept.busy = BusyPolicy::Enqueue;
        }
        let yields = active.is_some_and(|place| self.turns[place].chore) && queue.is_none() && !accept.chore;
        if busy && accept.busy == BusyPolicy::Reject && !yields {
            return Err(StoreError::Conflict(ConflictKind::SessionBusy));
        }
        let interrupts = busy && accept.busy == BusyPolicy::Interrupt;
        if !interrupts && found.is_some_and(|session| self.queued(session).count() >= MAX_QUEUED_TURNS as usize) {
            return Err(StoreError::Conflict(ConflictKind::QueueFull));
        }
        self.check_blobs(scope, &accept.blobs)?;
        if flaw == Some(Flaw::AcceptedTooEarly) {
            self.begin_unsynced();
        } else {
            self.unsynced = None;
        }
        let session = found.unwrap_or_else(|| self.make_session(scope, &accept));
        let policy = if accept.is_steering() { BusyPolicy::Steer } else { accept.busy };
        let (worker, at) = (accept.worker.clone(), accept.at);
        let (id, key) = (accept.turn, accept.idempotency.clone());
        let superseded = if interrupts { self.supersede_queue(session, at) } else { Vec::new() };
        let turn = self.add_turn(session, accept, after);
        if let Some(used) = key.filter(|_| flaw != Some(Flaw::KeyAfterTurn)) {
            self.use_key(scope, &used, id, &worker)?;
        }
        if busy {
            let stoppable = active.filter(|place| reaches_active || self.turns[*place].chore);
            let stop = stoppable.filter(|place| self.supersede(*place, policy, at, flaw));
            let stop = stop.map(|place| &self.turns[place]);
            let is_stopped = |turn: &&TurnRow| !(turn.chore && flaw == Some(Flaw::StoppedChoreWrites));
            let stop = stop.filter(is_stopped).map(|turn| turn.id);
            let row = &self.turns[turn];
            let session = &self.session_of(row).session;
            let (session, name) = (session.id, session.name.clone());
            return Ok(AcceptOutcome::Queued { session, name, number: row.number, stop, superseded });
        }
        self.turns[turn].chunks[0].fence = Fence(1);
        Ok(AcceptOutcome::Running(Box::new(self.begin(turn, &worker, at))))
    }

    /// Returns the turn that an idempotency key started, or an error if the key was used for another body or its
    /// session was deleted.
    pub(super) fn find_accepted(&self, scope: &Scope, used: &Idempotency) -> Result<Option<Repeat>, StoreError> {
        let Some(known) = self.keys.get(&(scope.clone(), used.key.clone())) else { return Ok(None) };
        if known.body_sha256 != used.body_sha256 {
            return Err(StoreError::Conflict(ConflictKind::KeyReused));
        }
        let deleted = |_| StoreError::Conflict(ConflictKind::SessionDeleted(known.session));
        let session = &self.session_of(self.of_user(scope, known.turn).map_err(deleted)?).session;
        Ok(Some(Repeat { turn: known.turn, session: session.id, name: session.name.clone() }))
    }

    fn is_key_known(&self, scope: &Scope, used: &Idempotency, worker: &WorkerId, flaw: Option<Flaw>) -> bool {
        let known = self.keys.get(&(scope.clone(), used.key.clone()));
        known.is_some_and(|known| known.worker == *worker || flaw != Some(Flaw::KeyOfOneWorker))
    }

    pub(super) fn use_key(
        &mut self,
        scope: &Scope,
        used: &Idempotency,
        turn: TurnId,
        worker: &WorkerId,
    ) -> Result<(), StoreError> {
        let session = self.session_of(self.of_user(scope, turn)?).session.id;
        let row = KeyRow { body_sha256: used.body_sha256, turn, session, worker: worker.clone() };
        self.keys.insert((scope.clone(), used.key.clone()), row);
        Ok(())
    }

    fn find_session(&self, scope: &Scope, key: &SessionKey) -> Result<Option<usize>, StoreError> {
        match key {
            SessionKey::New | SessionKey::Ephemeral(_) => Ok(None),
            SessionKey::Id(id) => self.session(scope, *id).map(|(place, _)| Some(place)),
            SessionKey::Name(name) => Ok(self.named(scope, name).map(|(place, _)| place)),
        }
    }

    /// Returns the number of the turn that an acceptance asks to continue, if it names one.
    fn branch_point(&self, session: Option<usize>, after: BranchPoint) -> Result<Option<u32>, StoreError> {
        match (after, session) {
            (BranchPoint::Head | BranchPoint::Beginning, _) => Ok(None),
            (BranchPoint::After(turn), Some(session)) => self.in_session(session, turn).map(Some),
            (BranchPoint::After(_), None) => Err(StoreError::Conflict(ConflictKind::NotInSession)),
        }
    }

    pub(super) fn make_session(&mut self, scope: &Scope, accept: &NewTurn) -> usize {
        let mut session = Session::new(accept.new_session, &*accept.agent, accept.at);
        if let SessionKey::Name(name) = &accept.session {
            session.name = Some(SessionName::clone(name));
        }
        let ephemeral = matches!(accept.session, SessionKey::Ephemeral(_));
        let (scope, title) = (scope.clone(), accept.title.clone());
        self.sessions.push(SessionRow {
            scope,
            session,
            title,
            head: None,
            ephemeral,
            parent: None,
            pinned: false,
            archived: false,
            deleted: false,
        });
        let place = self.sessions.len() - 1;
        if let SessionKey::Ephemeral(messages) = &accept.session {
            let messages = messages.iter().cloned().map(Entry::new).collect();
            self.add_prologue(place, TurnId(accept.new_session.0), messages, accept.at);
        }
        place
    }

    pub(super) fn add_turn(&mut self, session: usize, accept: NewTurn, after: Option<u32>) -> usize {
        self.sessions[session].archived &= accept.chore;
        let (kind, steering, turns) = (accept.kind(), accept.is_steering(), &mut self.sessions[session].session.turns);
        *turns += 1;
        self.turns.push(TurnRow {
            id: accept.turn,
            session,
            number: *turns,
            after,
            continues_head: accept.after == BranchPoint::Head,
            agent: accept.agent,
            caps: accept.caps,
            state: TurnState::Queued,
            stop: None,
            fence: Fence(0),
            owner: None,
            attempts: 0,
            deaths: Deaths::default(),
            suspended: false,
            messages: vec![Entry::new(accept.input)],
            blobs: accept.blobs,
            trace: accept.started.trace(),
            anchor: None,
            waits: BTreeMap::new(),
            machine: None,
            calls: BTreeMap::new(),
            chunks: vec![Chunk { fence: Fence(0), from_seq: 1, to_seq: 1, entries: vec![accept.started] }],
            partials: Vec::new(),
            acknowledged_partials: Vec::new(),
            accepted_at: accept.at,
            started_at: accept.at,
            ended_at: None,
            usage: None,
            kind,
            chore: accept.chore,
            steering,
            steered_into: None,
            parent: None,
            outline: None,
        });
        self.turns.len() - 1
    }

    /// Stops the active turn if the new message supersedes it, and returns `true` if it is to stop. A turn that waits
    /// for a decision is stopped unless the message steers it. A turn that runs, or waits only for sub-agents, is
    /// stopped if it is a chore or the message interrupts.
    fn supersede(&mut self, active: usize, policy: BusyPolicy, at: Timestamp, flaw: Option<Flaw>) -> bool {
        let waits = self.waits_for_decision(active);
        let turn = &mut self.turns[active];
        let stops = match turn.state {
            TurnState::Waiting if policy == BusyPolicy::Steer => false,
            TurnState::Waiting if waits => true,
            TurnState::Running | TurnState::Waiting => {
                turn.chore && flaw != Some(Flaw::ChoreNotStopped) || policy == BusyPolicy::Interrupt
            }
            // The owner may not know of the stop, because it may come from a move of the head.
            TurnState::Cancelling => return turn.chore,
            _ => false,
        };
        if stops {
            (turn.state, turn.stop) = (TurnState::Cancelling, Some(StopReason::Superseded));
            turn.deny(Denial::Superseded, at);
            self.stop_below(active, at, flaw);
        }
        stops
    }
}
