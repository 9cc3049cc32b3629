//! Finds or creates the session of a new turn, and determines whether it is idle or busy.

use rusqlite::{CachedStatement, Connection, Params, Row};
use turnkit_core::{
    BranchPoint, ConflictKind, NewTurn, Scope, Session, SessionId, SessionKey, SessionName, TurnId, TurnState,
};

use super::ancestor::Ancestor;
use super::cut::Cut;
use super::failure::Failure;
use super::fork::Prologue;
use super::rows::{SESSION_COLUMNS, StoredSession, message_end, session_columns, turn_id, turn_state};

/// A session, with the facts that a new turn needs.
pub(super) struct TurnPlacement {
    pub(super) stored: StoredSession,
    /// Whether it was created for this turn, which is its head and already counted.
    pub(super) new: bool,
    /// The number of messages in the history that the turn continues, up to the session's `head`.
    pub(super) history: u32,
    /// The cut of that history.
    pub(super) cut: Option<Cut>,
    /// The turn that has not ended, if there is one.
    pub(super) active: Option<Active>,
    /// The number of queued turns.
    pub(super) queued: u32,
    /// Whether the session is ephemeral.
    ephemeral: bool,
    /// The session whose turn started it, if it belongs to a sub-agent.
    pub(super) parent: Option<i64>,
}

/// A turn that has not ended.
pub(super) struct Active {
    pub(super) key: i64,
    pub(super) id: TurnId,
    pub(super) state: TurnState,
    /// Whether the turn is a chore, which a message stops.
    pub(super) chore: bool,
}

macro_rules! place_where {
    ($condition:literal) => {
        concat!(
            "SELECT ",
            session_columns!(),
            ", h.first_message, h.messages, \
             (SELECT count(*) FROM turns q WHERE q.session = sessions.key AND q.state = 'queued'), a.key, a.id, a.state, \
             h.cut, h.kept, a.chore, sessions.ephemeral, sessions.parent \
             FROM sessions \
             LEFT JOIN turns h ON h.session = sessions.key AND h.number = sessions.head \
             LEFT JOIN turns a ON a.session = sessions.key AND a.started_at IS NOT NULL AND a.ended_at IS NULL \
             WHERE sessions.tenant = ? AND sessions.user = ? AND ",
            $condition
        )
    };
}

impl TurnPlacement {
    /// Finds the session that `accept` names, or creates it if necessary. `earlier` are the earlier messages of an
    /// ephemeral session.
    pub(super) fn find_or_create(
        connection: &Connection,
        scope: &Scope,
        accept: &NewTurn,
        earlier: &[String],
    ) -> Result<Self, Failure> {
        match &accept.session {
            SessionKey::New => Self::make(connection, scope, accept, None),
            SessionKey::Id(id) => Self::by_id(connection, scope, *id)?.ok_or_else(Failure::not_found),
            SessionKey::Name(name) => match Self::named(connection, scope, name)? {
                Some(found) => Ok(found),
                None => Self::make(connection, scope, accept, Some(name)),
            },
            SessionKey::Ephemeral(_) => Self::make_ephemeral(connection, scope, accept, earlier),
        }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.active.is_none() && self.queued == 0
    }

    /// Reports whether a turn that must not wait can be accepted: the session is idle, or it runs a chore that yields
    /// to a user's turn.
    pub(super) fn accepts_now(&self, chore: bool) -> bool {
        self.is_idle() || self.queued == 0 && !chore && self.active.as_ref().is_some_and(|active| active.chore)
    }

    /// Reports whether the session is new or ephemeral, in which case no later turn would use the result of a chore.
    pub(super) fn expects_no_next_turn(&self) -> bool {
        self.new || self.ephemeral
    }

    /// Makes the new turn continue from `point`.
    pub(super) fn set_branch_point(&mut self, connection: &Connection, point: BranchPoint) -> Result<(), Failure> {
        match point {
            BranchPoint::Head => {}
            BranchPoint::Beginning => (self.stored.head, self.history, self.cut) = (None, 0, None),
            BranchPoint::After(turn) => {
                let ancestor = Ancestor::in_session(connection, self.stored.key, turn)?;
                (self.stored.head, self.history, self.cut) = (Some(ancestor.number), ancestor.messages, ancestor.cut);
            }
        }
        Ok(())
    }

    pub(super) fn by_id(connection: &Connection, scope: &Scope, id: SessionId) -> Result<Option<Self>, Failure> {
        let statement = connection.prepare_cached(place_where!("sessions.id = ?"))?;
        Self::find(statement, (&scope.tenant.0, &scope.user.0, id.0.as_bytes()))
    }

    /// Finds the session with the id `name`, or else the session with that name.
    fn named(connection: &Connection, scope: &Scope, name: &SessionName) -> Result<Option<Self>, Failure> {
        let by_id = name.as_str().parse().ok().map(|id| Self::by_id(connection, scope, id)).transpose()?;
        if let Some(found) = by_id.flatten() {
            return Ok(Some(found));
        }
        let statement = connection.prepare_cached(place_where!("sessions.name = ?"))?;
        Self::find(statement, (&scope.tenant.0, &scope.user.0, name.as_str()))
    }

    fn find(mut statement: CachedStatement<'_>, owner_and_session: impl Params) -> Result<Option<Self>, Failure> {
        let mut rows = statement.query(owner_and_session)?;
        rows.next()?.map(Self::read).transpose()
    }

    fn read(row: &Row<'_>) -> Result<Self, Failure> {
        let stored = StoredSession::read(row)?;
        let history = stored.head.map_or(Ok(0), |_| message_end(row, SESSION_COLUMNS))?;
        let active = match row.get(SESSION_COLUMNS + 3)? {
            Some(key) => {
                let id = turn_id(row, SESSION_COLUMNS + 4)?;
                let state = turn_state(row, SESSION_COLUMNS + 5).map_err(|why| why.about(|| format!("turn {id}")))?;
                Some(Active { key, id, state, chore: row.get(SESSION_COLUMNS + 8)? })
            }
            None => None,
        };
        let (queued, cut) = (row.get(SESSION_COLUMNS + 2)?, Cut::read(row, SESSION_COLUMNS + 6)?);
        let (ephemeral, parent) = (row.get(SESSION_COLUMNS + 9)?, row.get(SESSION_COLUMNS + 10)?);
        Ok(Self { stored, new: false, history, cut, active, queued, ephemeral, parent })
    }

    fn make(
        connection: &Connection,
        scope: &Scope,
        accept: &NewTurn,
        name: Option<&SessionName>,
    ) -> Result<Self, Failure> {
        let key = insert_session(connection, scope, accept, name, 1)?;
        Ok(Self::made(key, accept, name))
    }

    /// Creates a session for a sub-agent, started by a turn of the session `parent`.
    pub(super) fn make_child(
        connection: &Connection,
        scope: &Scope,
        accept: &NewTurn,
        parent: i64,
    ) -> Result<Self, Failure> {
        let key = insert_session(connection, scope, accept, None, 1)?;
        let mut update = connection.prepare_cached("UPDATE sessions SET parent = ?, ephemeral = 2 WHERE key = ?")?;
        update.execute((parent, key))?;
        Ok(Self { parent: Some(parent), ..Self::made(key, accept, None) })
    }

    fn made(key: i64, accept: &NewTurn, name: Option<&SessionName>) -> Self {
        let mut session = Session::new(accept.new_session, &*accept.agent, accept.at);
        session.name = name.cloned();
        let stored = StoredSession { key, head: None, session };
        Self { stored, new: true, history: 0, cut: None, active: None, queued: 0, ephemeral: false, parent: None }
    }

    /// Creates an ephemeral session. Earlier messages, if any, become its first turn, which has the id of the session.
    fn make_ephemeral(
        connection: &Connection,
        scope: &Scope,
        accept: &NewTurn,
        earlier: &[String],
    ) -> Result<Self, Failure> {
        let head = (!earlier.is_empty()).then_some(Prologue::NUMBER);
        let messages = u32::try_from(earlier.len()).unwrap_or(u32::MAX);
        let mut session = Session::new(accept.new_session, &*accept.agent, accept.at);
        session.turns = head.unwrap_or(0);
        let key = insert_session(connection, scope, accept, None, session.turns + 1)?;
        if head.is_some() {
            let (turn, agent) = (TurnId(accept.new_session.0), &*accept.agent);
            let prologue = Prologue { scope, turn, session: key, agent, messages, at: accept.at };
            prologue.insert_with(connection, earlier)?;
        }
        let stored = StoredSession { key, head, session };
        let (history, active) = (messages, None);
        Ok(Self { stored, new: true, history, cut: None, active, queued: 0, ephemeral: true, parent: None })
    }
}

/// Inserts a session whose turn with the number `head` is about to start, and returns its key. The session has no turn
/// yet that another one could continue.
fn insert_session(
    connection: &Connection,
    scope: &Scope,
    accept: &NewTurn,
    name: Option<&SessionName>,
    head: u32,
) -> Result<i64, Failure> {
    if matches!(accept.after, BranchPoint::After(_)) {
        return Err(Failure::conflict(ConflictKind::NotInSession));
    }
    let mut insert = connection.prepare_cached(
        "INSERT INTO sessions (id, tenant, user, name, agent, title, metadata, fresh, cache_read, cache_write, \
         output, reasoning, unmetered_calls, turns, head, created_at, last_active_at, ephemeral) \
         VALUES (?, ?, ?, ?, ?, ?, '{}', 0, 0, 0, 0, 0, 0, ?7, ?7, ?8, ?8, ?9)",
    )?;
    Ok(insert.insert((
        accept.new_session.0.as_bytes(),
        &scope.tenant.0,
        &scope.user.0,
        name.map(SessionName::as_str),
        &accept.agent,
        &accept.title,
        head,
        accept.at.millis(),
        matches!(accept.session, SessionKey::Ephemeral(_)),
    ))?)
}
