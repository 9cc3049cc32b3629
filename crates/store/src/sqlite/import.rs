//! Creates sessions with all their turns in one transaction.

use rusqlite::Connection;
use turnkit_core::ports::{ImportedTurn, ImportedTurns, NewSession};
use turnkit_core::{
    BlobId, ConflictKind, Scope, SessionSummary, StoreError, Timestamp, TraceId, TurnId, TurnKind, TurnState,
};

use super::failure::Failure;
use super::rows::{StoredSession, Word as _, to_json};
use super::session_edit::Creation;
use super::{blob_rows, session_list};

/// A session to be stored with its turns, with its JSON already serialised.
pub(super) struct Import {
    scope: Scope,
    creation: Creation,
    turns: Vec<Turn>,
    head: Option<u32>,
}

/// A turn to be stored.
struct Turn {
    id: TurnId,
    after: Option<u32>,
    agent: Box<str>,
    state: TurnState,
    accepted_at: Timestamp,
    ended_at: Timestamp,
    /// The places in the branch of its first message, and of the message after its last one.
    places: (u32, u32),
    messages: Vec<String>,
    blobs: Vec<BlobId>,
    trace: Option<TraceId>,
    kind: TurnKind,
}

impl Import {
    pub(super) fn new(scope: &Scope, session: NewSession, imported: ImportedTurns) -> Result<Self, StoreError> {
        let ImportedTurns { turns: imported, head } = imported;
        let mut turns = Vec::with_capacity(imported.len());
        for turn in imported {
            turns.push(Turn::new(turn, &turns)?);
        }
        if head.is_some_and(|head| numbered(&turns, head).is_none()) {
            return Err(no_such_turn());
        }
        Ok(Self { scope: scope.clone(), creation: Creation::new(scope, session)?, turns, head })
    }

    pub(super) fn store(&self, connection: &Connection) -> Result<SessionSummary, Failure> {
        let session = self.creation.store(connection)?;
        let key = StoredSession::key_of(connection, &self.scope, session.id)?;
        for (number, turn) in (1_u32..).zip(&self.turns) {
            turn.store(connection, &self.scope, key, number)?;
        }
        let mut update = connection.prepare_cached("UPDATE sessions SET turns = ?, head = ? WHERE key = ?")?;
        update.execute((self.turns.len() as i64, self.head, key))?;
        Ok(session_list::summary(connection, &self.scope, session.id)?.session)
    }
}

impl Turn {
    /// Creates a turn that follows the turns `earlier` in its session.
    fn new(turn: ImportedTurn, earlier: &[Self]) -> Result<Self, StoreError> {
        let ImportedTurn { id, after, agent, status, accepted_at, ended_at, messages, blobs, trace, kind } = turn;
        let continued = after.map(|after| numbered(earlier, after).ok_or_else(no_such_turn)).transpose()?;
        let first = continued.map_or(0, |turn| turn.places.1);
        let count = u32::try_from(messages.len()).unwrap_or(u32::MAX);
        Ok(Self {
            id,
            after,
            agent,
            state: TurnState::Ended(status),
            accepted_at,
            ended_at,
            places: (first, first.saturating_add(count)),
            messages: messages.iter().map(to_json).collect::<Result<_, _>>()?,
            blobs,
            trace,
            kind,
        })
    }

    fn store(&self, connection: &Connection, scope: &Scope, session: i64, number: u32) -> Result<(), Failure> {
        let mut insert = connection.prepare_cached(
            "INSERT INTO turns (id, tenant, user, session, number, after, first_message, messages, agent, state, fence, \
             attempts, interact, resume, accepted_at, started_at, ended_at, trace, kind) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, ?11, ?11, ?12, ?13, ?14)",
        )?;
        let turn = insert.insert((
            self.id.0.as_bytes(),
            &scope.tenant.0,
            &scope.user.0,
            session,
            number,
            self.after,
            self.places.0,
            self.messages.len() as i64,
            &self.agent,
            self.state.as_str(),
            self.accepted_at.millis(),
            self.ended_at.millis(),
            self.trace.as_ref().map(TraceId::as_bytes),
            Some(self.kind).filter(|kind| !kind.is_message()).map(TurnKind::word),
        ))?;
        let mut insert = connection.prepare_cached("INSERT INTO messages (turn, ord, body) VALUES (?, ?, ?)")?;
        for (ord, body) in (0_u32..).zip(&self.messages) {
            insert.execute((turn, ord, body))?;
        }
        blob_rows::reference_blobs(connection, scope, turn, &self.blobs)
    }
}

/// Returns the turn with this number, from 1.
fn numbered(turns: &[Turn], number: u32) -> Option<&Turn> {
    turns.get(usize::try_from(number).ok()?.checked_sub(1)?)
}

fn no_such_turn() -> StoreError {
    StoreError::Conflict(ConflictKind::NotInSession)
}
