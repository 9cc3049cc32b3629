//! Sessions that begin with what was said elsewhere: in another session, or as the client tells it.

use rusqlite::{Connection, OptionalExtension as _};
use turnkit_core::ports::{Fork, SessionSummary};
use turnkit_core::{ConflictKind, Scope, Timestamp, TurnId};

use super::failure::Failure;
use super::rows::{StoredSession, said};
use super::session_list;
use super::session_state::Begun;

/// The turn that holds what was said before a session began: its first, finished, and without a log.
pub(super) struct Prologue<'a> {
    pub(super) scope: &'a Scope,
    pub(super) turn: TurnId,
    pub(super) session: i64,
    pub(super) agent: &'a str,
    pub(super) messages: u32,
    pub(super) at: Timestamp,
}

impl Prologue<'_> {
    /// The number of the turn.
    pub(super) const NUMBER: u32 = 1;

    /// Stores the turn without its messages; gives its key.
    pub(super) fn insert(&self, connection: &Connection) -> Result<i64, Failure> {
        let mut insert = connection.prepare_cached(
            "INSERT INTO turns (id, tenant, user, session, number, first_message, messages, agent, state, fence, \
             attempts, interact, resume, accepted_at, started_at, ended_at) \
             VALUES (?, ?, ?, ?, ?, 0, ?, ?, 'completed', 0, 0, 0, 0, ?8, ?8, ?8)",
        )?;
        Ok(insert.insert((
            self.turn.0.as_bytes(),
            &self.scope.tenant.0,
            &self.scope.user.0,
            self.session,
            Self::NUMBER,
            self.messages,
            self.agent,
            self.at.millis(),
        ))?)
    }

    /// Stores the turn with its messages, already JSON.
    pub(super) fn insert_with(&self, connection: &Connection, messages: &[String]) -> Result<(), Failure> {
        let turn = self.insert(connection)?;
        let mut insert = connection.prepare_cached("INSERT INTO messages (turn, ord, body) VALUES (?, ?, ?)")?;
        for (ord, body) in (0_u32..).zip(messages) {
            insert.execute((turn, ord, body))?;
        }
        Ok(())
    }
}

/// Where a session is forked: at a turn that is over.
struct Point {
    number: u32,
    /// How many messages were said up to its end.
    messages: u32,
}

/// Makes the new session with the messages of the old one.
pub(super) fn fork(connection: &Connection, scope: &Scope, fork: &Fork) -> Result<SessionSummary, Failure> {
    let from = StoredSession::of_owner(connection, scope, fork.from)?;
    let point = Point::of(connection, &from, fork.after)?.filter(|point| point.messages > 0);
    let number = point.as_ref().map(|_| Prologue::NUMBER);
    let mut insert = connection.prepare_cached(
        "INSERT INTO sessions (id, tenant, user, agent, title, metadata, fresh, cache_read, cache_write, output, \
         reasoning, unmetered_calls, turns, head, created_at, last_active_at) \
         SELECT ?1, tenant, user, agent, coalesce(?2, title), metadata, 0, 0, 0, 0, 0, 0, coalesce(?3, 0), ?3, ?4, ?4 \
         FROM sessions WHERE key = ?5",
    )?;
    let session = insert.insert((fork.new.0.as_bytes(), &fork.title, number, fork.at.millis(), from.key))?;
    if let Some(point) = point {
        let (agent, messages) = (&from.session.agent, point.messages);
        let prologue = Prologue { scope, turn: fork.turn, session, agent, messages, at: fork.at };
        point.copy_messages(connection, from.key, prologue.insert(connection)?)?;
    }
    Ok(session_list::summary(connection, scope, fork.new)?.session)
}

impl Point {
    fn of(connection: &Connection, session: &StoredSession, after: Option<TurnId>) -> Result<Option<Self>, Failure> {
        let number = match after {
            Some(turn) => Some(over(connection, session.key, turn)?),
            None => last_over(connection, session)?,
        };
        number.map(|number| Self::numbered(connection, session.key, number)).transpose()
    }

    fn numbered(connection: &Connection, session: i64, number: u32) -> Result<Self, Failure> {
        let mut select =
            connection.prepare_cached("SELECT first_message, messages FROM turns WHERE session = ? AND number = ?")?;
        Ok(select.query_row((session, number), |row| Ok(Self { number, messages: said(row, 0)? }))?)
    }

    /// A message's place among all of the branch is its place in its turn, after all that the turn continues.
    fn copy_messages(&self, connection: &Connection, from: i64, turn: i64) -> Result<(), Failure> {
        // CROSS JOIN: from the turns to their messages, and not through all messages there are.
        let mut copy = connection.prepare_cached(
            "WITH RECURSIVE branch (key, after, number, first_message) AS ( \
             SELECT key, after, number, first_message FROM turns WHERE session = ?1 AND number = ?2 \
             UNION ALL SELECT t.key, t.after, t.number, t.first_message FROM branch b \
             JOIN turns t ON t.session = ?1 AND t.number = b.after WHERE b.after < b.number) \
             INSERT INTO messages (turn, ord, body) \
             SELECT ?3, b.first_message + m.ord, m.body FROM branch b CROSS JOIN messages m ON m.turn = b.key",
        )?;
        let copied = copy.execute((from, self.number, turn))?;
        if copied == self.messages as usize {
            Ok(())
        } else {
            Err(Failure::Unreadable(format!("a session has {copied} of its {} messages", self.messages)))
        }
    }
}

/// The number of a turn that is over. One that was dropped from the queue said nothing: it stands for the one that began
/// before it.
fn over(connection: &Connection, session: i64, turn: TurnId) -> Result<u32, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT b.number, t.ended_at IS NOT NULL AND b.ended_at IS NOT NULL \
         FROM turns t JOIN turns b ON b.session = t.session AND b.number <= t.number \
         WHERE t.id = ? AND t.session = ? AND b.started_at IS NOT NULL ORDER BY b.number DESC LIMIT 1",
    )?;
    let found = select.query_row((turn.0.as_bytes(), session), |row| Ok((row.get(0)?, row.get(1)?)));
    match found.optional()? {
        Some((number, true)) => Ok(number),
        Some((_, false)) => Err(Failure::conflict(ConflictKind::TurnNotOver)),
        None => Err(Failure::not_found()),
    }
}

/// The last turn that began, or the one it continues if it is not over.
fn last_over(connection: &Connection, session: &StoredSession) -> Result<Option<u32>, Failure> {
    let Some(head) = session.head else { return Ok(None) };
    let last = Begun::numbered(connection, session.key, head)?;
    Ok(if last.active { last.after } else { Some(last.number) })
}
