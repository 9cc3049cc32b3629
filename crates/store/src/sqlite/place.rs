//! The session a new turn comes to: found or made, idle or busy.

use rusqlite::{CachedStatement, Connection, Params, Row};
use turnkit_core::{Accept, Scope, Session, SessionKey, SessionName, TurnId};

use super::failure::Failure;
use super::rows::{SESSION_COLUMNS, StoredSession, session_columns, turn_id};

/// A session, and what a turn that comes to it must know.
pub(super) struct Place {
    pub(super) stored: StoredSession,
    /// It was made for this turn, which is its first and its head.
    pub(super) new: bool,
    /// How many messages the history has that the turn would continue.
    pub(super) history: u32,
    /// The turn that is not over.
    pub(super) active: Option<Active>,
    /// How many wait already.
    pub(super) queued: u32,
}

/// A turn that is not over.
pub(super) struct Active {
    pub(super) key: i64,
    pub(super) id: TurnId,
    pub(super) state: String,
}

macro_rules! place_where {
    ($condition:literal) => {
        concat!(
            "SELECT ",
            session_columns!(),
            ", coalesce(h.first_message + h.messages, 0), \
             (SELECT count(*) FROM turns q WHERE q.session = sessions.key AND q.state = 'queued'), a.key, a.id, a.state \
             FROM sessions \
             LEFT JOIN turns h ON h.session = sessions.key AND h.number = sessions.head \
             LEFT JOIN turns a ON a.session = sessions.key AND a.state IN ('running', 'waiting', 'cancelling') \
             WHERE sessions.tenant = ? AND sessions.user = ? AND ",
            $condition
        )
    };
}

impl Place {
    /// The session `accept` names, made if it should be.
    pub(super) fn of(connection: &Connection, scope: &Scope, accept: &Accept) -> Result<Self, Failure> {
        let (tenant, user) = (&scope.tenant.0, &scope.user.0);
        match &accept.session {
            SessionKey::New => Self::make(connection, scope, accept, None),
            SessionKey::Id(id) => {
                let statement = connection.prepare_cached(place_where!("sessions.id = ?"))?;
                Self::find(statement, (tenant, user, id.0.as_bytes()))?.ok_or_else(Failure::not_found)
            }
            SessionKey::Name(name) => {
                let statement = connection.prepare_cached(place_where!("sessions.name = ?"))?;
                match Self::find(statement, (tenant, user, name.as_str()))? {
                    Some(found) => Ok(found),
                    None => Self::make(connection, scope, accept, Some(name)),
                }
            }
        }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.active.is_none() && self.queued == 0
    }

    fn find(mut statement: CachedStatement<'_>, owner_and_session: impl Params) -> Result<Option<Self>, Failure> {
        let mut rows = statement.query(owner_and_session)?;
        rows.next()?.map(Self::read).transpose()
    }

    fn read(row: &Row<'_>) -> Result<Self, Failure> {
        let active = match row.get(SESSION_COLUMNS + 2)? {
            Some(key) => {
                Some(Active { key, id: turn_id(row, SESSION_COLUMNS + 3)?, state: row.get(SESSION_COLUMNS + 4)? })
            }
            None => None,
        };
        Ok(Self {
            stored: StoredSession::read(row)?,
            new: false,
            history: row.get(SESSION_COLUMNS)?,
            active,
            queued: row.get(SESSION_COLUMNS + 1)?,
        })
    }

    fn make(
        connection: &Connection,
        scope: &Scope,
        accept: &Accept,
        name: Option<&SessionName>,
    ) -> Result<Self, Failure> {
        let mut insert = connection.prepare_cached(
            "INSERT INTO sessions (id, tenant, user, name, agent, title, metadata, fresh, cache_read, cache_write, \
             output, reasoning, unmetered_calls, turns, head, created_at, last_active_at) \
             VALUES (?, ?, ?, ?, ?, ?, '{}', 0, 0, 0, 0, 0, 0, 1, 1, ?7, ?7)",
        )?;
        let key = insert.insert((
            accept.new_session.0.as_bytes(),
            &scope.tenant.0,
            &scope.user.0,
            name.map(SessionName::as_str),
            &accept.agent,
            &accept.title,
            accept.at.millis(),
        ))?;
        let mut session = Session::new(accept.new_session, &*accept.agent, accept.at);
        session.name = name.cloned();
        let stored = StoredSession { key, head: None, session };
        Ok(Self { stored, new: true, history: 0, active: None, queued: 0 })
    }
}
