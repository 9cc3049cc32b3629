//! Accepts a turn: stores its row, its input and the first event of its log, and claims it if its session is idle.

use rusqlite::{Connection, OptionalExtension as _, params};
use turnkit_core::{
    AcceptOutcome, BranchPoint, BusyPolicy, Claim, ClaimedTurn, ConflictKind, Deaths, Denial, Fence, Idempotency,
    MAX_QUEUED_TURNS, NewTurn, Repeat, Scope, Session, SessionId, SessionKey, StopReason, StoreError, TraceId, TurnId,
    TurnKind, TurnState,
};

use super::blob_rows;
use super::busy::BusyTreatment;
use super::children;
use super::failure::Failure;
use super::place::{Active, TurnPlacement};
use super::promote::Queued;
use super::rows::{Word as _, session_name, to_json, turn_id, uuid};
use super::shelf;
use super::steering;
use super::stop::supersede_queue;
use super::waits;

/// A turn to be stored, with its JSON already serialised.
pub(super) struct TurnInsert {
    scope: Scope,
    accept: NewTurn,
    input: String,
    /// The earlier messages of a new session that starts with some.
    earlier: Vec<String>,
    started: String,
}

impl TurnInsert {
    pub(super) fn new(scope: &Scope, accept: NewTurn) -> Result<Self, StoreError> {
        let (input, started) = (to_json(&accept.input)?, to_json(std::slice::from_ref(&accept.started))?);
        let earlier = match &accept.session {
            SessionKey::Ephemeral(messages) => messages.iter().map(to_json).collect::<Result<_, _>>()?,
            SessionKey::New | SessionKey::Id(_) | SessionKey::Name(_) => Vec::new(),
        };
        Ok(Self { scope: scope.clone(), accept, input, earlier, started })
    }

    pub(super) fn store(&self, connection: &Connection) -> Result<AcceptOutcome, Failure> {
        if let Some(used) = &self.accept.idempotency
            && let Some(repeat) = find_accepted(connection, &self.scope, used)?
        {
            return Ok(AcceptOutcome::Repeated(repeat));
        }
        let mut placement = TurnPlacement::find_or_create(connection, &self.scope, &self.accept, &self.earlier)?;
        if placement.parent.is_some() {
            return Err(Failure::conflict(ConflictKind::OwnedBySubAgent));
        }
        placement.set_branch_point(connection, self.accept.after)?;
        if self.accept.chore && placement.expects_no_next_turn() {
            return Err(Failure::not_found());
        }
        if placement.is_idle() {
            return self.run(connection, placement);
        }
        let treatment = BusyTreatment::of(connection, &self.accept, &placement)?;
        if treatment.policy == BusyPolicy::Reject && !placement.accepts_now(self.accept.chore) {
            Err(Failure::conflict(ConflictKind::SessionBusy))
        } else if placement.queued >= MAX_QUEUED_TURNS && treatment.policy != BusyPolicy::Interrupt {
            Err(Failure::conflict(ConflictKind::QueueFull))
        } else {
            self.queue(connection, placement, treatment)
        }
    }

    /// Assigns the idempotency key, if there is one, to this turn. Only an accepted turn takes its key. A refused turn
    /// writes nothing, so its batch need not be rolled back.
    fn take_key(&self, connection: &Connection, session: SessionId) -> Result<(), Failure> {
        let Some(used) = &self.accept.idempotency else { return Ok(()) };
        let (tenant, user) = (&self.scope.tenant.0, &self.scope.user.0);
        let mut insert = connection.prepare_cached(
            "INSERT INTO idem_keys (tenant, user, key, body_sha256, turn, session, used_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        )?;
        let (turn, session, at) = (self.accept.turn.0.as_bytes(), session.0.as_bytes(), self.accept.at.millis());
        insert.execute((tenant, user, &used.key, used.body_sha256, turn, session, at))?;
        Ok(())
    }

    /// Returns the scope and the request.
    pub(super) fn parts(&self) -> (&Scope, &NewTurn) {
        (&self.scope, &self.accept)
    }

    /// Starts the turn, whose session is idle.
    pub(super) fn run(&self, connection: &Connection, placement: TurnPlacement) -> Result<AcceptOutcome, Failure> {
        self.take_key(connection, placement.stored.session.id)?;
        let (at, fence) = (self.accept.at, Fence(1));
        let mut session = placement.stored.session;
        session.turns = session.turns.saturating_add(1);
        session.last_active = at;
        let number = session.turns;
        if !placement.new {
            let mut update = connection.prepare_cached(
                "UPDATE sessions SET turns = ?2, head = ?2, last_active_at = ?3, shelf = shelf & ?4 WHERE key = ?1",
            )?;
            update.execute((placement.stored.key, number, at.millis(), self.shelf()))?;
        }
        let mut insert = connection.prepare_cached(
            "INSERT INTO turns (id, tenant, user, session, number, after, first_message, messages, agent, state, fence, \
             owner, attempts, interact, resume, accepted_at, started_at, cut, kept, trace, kind, chore) \
             VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, 'running', ?, ?, 1, ?, ?, ?13, ?13, ?14, ?15, ?16, ?17, ?18)",
        )?;
        let caps = self.accept.caps;
        let turn = insert.insert(params![
            self.accept.turn.0.as_bytes(),
            &self.scope.tenant.0,
            &self.scope.user.0,
            placement.stored.key,
            number,
            placement.stored.head,
            placement.history,
            &self.accept.agent,
            fence.0,
            &self.accept.worker.0,
            caps.interact,
            caps.resume,
            at.millis(),
            placement.cut.map(|cut| cut.covers),
            placement.cut.and_then(|cut| cut.keeps),
            self.accept.caller_trace().as_ref().map(TraceId::as_bytes),
            self.kind(),
            self.accept.chore,
        ])?;
        let mut insert = connection.prepare_cached("INSERT INTO messages (turn, ord, body) VALUES (?, 0, ?)")?;
        insert.execute((turn, &self.input))?;
        self.log_start(connection, turn, fence)?;
        blob_rows::reference_blobs(connection, &self.scope, turn, &self.accept.blobs)?;
        Ok(AcceptOutcome::Running(Box::new(ClaimedTurn {
            claim: Claim::granted_by_store(self.accept.turn, self.scope.clone(), fence, self.accept.worker.clone()),
            number,
            attempts: 1,
            deaths: Deaths::default(),
            agent: self.accept.agent.clone(),
            caps,
            session,
            messages: placement.history.saturating_add(1),
            started_at: at,
            stop: None,
            after: placement.stored.head,
            chore: self.accept.chore,
        })))
    }

    /// Queues the turn of a busy session. Its row stores the input, and the turn to continue from if the caller named
    /// one.
    fn queue(
        &self,
        connection: &Connection,
        placement: TurnPlacement,
        treatment: BusyTreatment,
    ) -> Result<AcceptOutcome, Failure> {
        self.take_key(connection, placement.stored.session.id)?;
        let number = placement.stored.session.turns.saturating_add(1);
        let superseded = match treatment.policy {
            BusyPolicy::Interrupt => supersede_queue(connection, placement.stored.key, self.accept.at)?,
            BusyPolicy::Enqueue | BusyPolicy::Reject | BusyPolicy::Steer => Vec::new(),
        };
        let mut update = connection.prepare_cached("UPDATE sessions SET turns = ?, shelf = shelf & ? WHERE key = ?")?;
        update.execute((number, self.shelf(), placement.stored.key))?;
        let mut insert = connection.prepare_cached(
            "INSERT INTO turns (id, tenant, user, session, number, after, first_message, messages, agent, state, fence, \
             attempts, interact, resume, input, accepted_at, trace, kind, steering) \
             VALUES (?, ?, ?, ?, ?, ?, 0, 0, ?, 'queued', 0, 0, ?, ?, ?, ?, ?, ?, ?)",
        )?;
        if treatment.is_steering {
            steering::note(connection, placement.stored.key, placement.active.as_ref().map(|active| active.key))?;
        }
        let after = match self.accept.after {
            BranchPoint::Head => None,
            BranchPoint::Beginning => Some(Queued::BEGINNING),
            BranchPoint::After(_) => placement.stored.head,
        };
        let turn = insert.insert((
            self.accept.turn.0.as_bytes(),
            &self.scope.tenant.0,
            &self.scope.user.0,
            placement.stored.key,
            number,
            after,
            &self.accept.agent,
            self.accept.caps.interact,
            self.accept.caps.resume,
            &self.input,
            self.accept.at.millis(),
            self.accept.caller_trace().as_ref().map(TraceId::as_bytes),
            self.kind(),
            treatment.is_steering,
        ))?;
        self.log_start(connection, turn, Fence(0))?;
        blob_rows::reference_blobs(connection, &self.scope, turn, &self.accept.blobs)?;
        let active = placement.active.as_ref();
        let stop = active.map(|active| self.supersede(connection, active, treatment)).transpose()?.flatten();
        let Session { id, name, .. } = placement.stored.session;
        Ok(AcceptOutcome::Queued { session: id, name, number, stop, superseded })
    }

    /// Asks the active turn to stop. A turn that waits for a decision is stopped unless the message is a steering
    /// message. A turn that runs or waits only for sub-agents is stopped if it is a chore or the message interrupts it.
    /// Its pending waits are denied. A chore that was already asked to stop is returned again: its owner may not know,
    /// because the head was moved.
    fn supersede(
        &self,
        connection: &Connection,
        active: &Active,
        treatment: BusyTreatment,
    ) -> Result<Option<TurnId>, Failure> {
        let stops = match active.state {
            TurnState::Waiting if treatment.is_steering => false,
            TurnState::Waiting if treatment.reaches_active && children::waits_for_decision(connection, active.key)? => {
                true
            }
            TurnState::Running | TurnState::Waiting => active.chore || treatment.policy == BusyPolicy::Interrupt,
            TurnState::Cancelling => return Ok(active.chore.then_some(active.id)),
            TurnState::Queued | TurnState::Ended(_) => false,
        };
        if stops {
            let mut update = connection.prepare_cached(
                "UPDATE turns SET state = 'cancelling', stop = ? WHERE key = ? \
                 RETURNING EXISTS (SELECT 1 FROM waits w WHERE w.turn = turns.key AND w.decided_at IS NULL)",
            )?;
            if update.query_row((StopReason::Superseded.word(), active.key), |row| row.get(0))? {
                waits::deny(connection, active.key, Denial::of_stop(StopReason::Superseded), self.accept.at)?;
                children::stop(connection, active.key, self.accept.at)?;
            }
        }
        Ok(stops.then_some(active.id))
    }

    /// Returns the bits that the turn keeps of the shelf of its session: a message takes the session out of the archive,
    /// a chore leaves it there.
    fn shelf(&self) -> i64 {
        if self.accept.chore { shelf::ARCHIVED | shelf::PINNED } else { shelf::PINNED }
    }

    /// Returns the stored kind, or `None` for a turn that answers a message.
    fn kind(&self) -> Option<&'static str> {
        Some(self.accept.kind()).filter(|kind| !kind.is_message()).map(TurnKind::word)
    }

    fn log_start(&self, connection: &Connection, turn: i64, fence: Fence) -> Result<(), Failure> {
        let mut insert = connection
            .prepare_cached("INSERT INTO events (turn, from_seq, to_seq, fence, body) VALUES (?, 1, 1, ?, ?)")?;
        insert.execute((turn, fence.0, &self.started))?;
        Ok(())
    }
}

/// Returns the turn that was started with the key, if there is one.
pub(super) fn find_accepted(
    connection: &Connection,
    scope: &Scope,
    used: &Idempotency,
) -> Result<Option<Repeat>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT k.body_sha256, k.turn, k.session, s.name, s.key IS NULL FROM idem_keys k LEFT JOIN turns t ON t.id = k.turn \
         LEFT JOIN sessions s ON s.key = t.session AND s.removed = 0 WHERE k.tenant = ? AND k.user = ? AND k.key = ?",
    )?;
    let found = select.query_row((&scope.tenant.0, &scope.user.0, &used.key), |row| {
        let (turn, session) = (turn_id(row, 1)?, SessionId(uuid(row, 2)?));
        Ok((row.get::<_, [u8; 32]>(0)?, turn, session, row.get(3)?, row.get(4)?))
    });
    let Some((body, turn, session, name, is_deleted)) = found.optional()? else { return Ok(None) };
    if body != used.body_sha256 {
        return Err(Failure::conflict(ConflictKind::KeyReused));
    }
    if is_deleted {
        return Err(Failure::conflict(ConflictKind::SessionDeleted(session)));
    }
    Ok(Some(Repeat { turn, session, name: session_name(name)? }))
}
