//! Sessions that start with earlier messages: those of another session, or those sent by the client.

use rusqlite::{Connection, Row};
use turnkit_core::ports::Fork;
use turnkit_core::{ConflictKind, Scope, SessionSummary, Timestamp, TurnId};

use super::ancestor::Ancestor;
use super::blob_rows;
use super::failure::Failure;
use super::rows::{StoredSession, turn_id};
use super::session_list;
use super::session_state::BegunTurn;

/// The turn that holds the earlier messages of a new session: its first turn, finished and without a log.
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

    /// Stores the turn without its messages, and returns its key.
    fn insert(&self, connection: &Connection) -> Result<i64, Failure> {
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

    /// Stores the turn with its messages, which are already serialised.
    pub(super) fn insert_with(&self, connection: &Connection, messages: &[String]) -> Result<(), Failure> {
        let turn = self.insert(connection)?;
        let mut insert = connection.prepare_cached("INSERT INTO messages (turn, ord, body) VALUES (?, ?, ?)")?;
        for (ord, body) in (0_u32..).zip(messages) {
            insert.execute((turn, ord, body))?;
        }
        Ok(())
    }
}

/// Creates the new session with the turns of the old one, up to a turn that has ended.
pub(super) fn fork(connection: &Connection, scope: &Scope, fork: &Fork) -> Result<SessionSummary, Failure> {
    let from = StoredSession::of_user(connection, scope, fork.from)?;
    // The turns of a sub-agent would no longer be judged within the permissions of their ancestor turns.
    if belongs_to_sub_agent(connection, from.key)? {
        return Err(Failure::conflict(ConflictKind::OwnedBySubAgent));
    }
    let last = match fork.after {
        Some(turn) => Some(Ancestor::find(connection, from.key, turn)?.ok_or_else(Failure::not_found)?.number),
        None => last_over(connection, &from)?,
    };
    let branch = match last {
        Some(number) => branch(connection, from.key, number)?,
        None => Vec::new(),
    };
    let head = u32::try_from(branch.len()).ok().filter(|turns| *turns > 0);
    let mut insert = connection.prepare_cached(
        "INSERT INTO sessions (id, tenant, user, agent, title, metadata, fresh, cache_read, cache_write, output, \
         reasoning, unmetered_calls, turns, head, created_at, last_active_at, prompt, params, \
         tools, mode) \
         SELECT ?1, tenant, user, agent, coalesce(?2, title), metadata, 0, 0, 0, 0, 0, 0, coalesce(?3, 0), ?3, ?4, ?4, \
         prompt, params, tools, mode \
         FROM sessions WHERE key = ?5",
    )?;
    let session = insert.insert((fork.new.0.as_bytes(), &fork.title, head, fork.at.millis(), from.key))?;
    for (number, turn) in (1..).zip(&branch) {
        turn.copy(connection, session, number, fork.turn_number(number))?;
    }
    Ok(session_list::summary(connection, scope, fork.new)?.session)
}

/// Reports whether the session belongs to a sub-agent.
fn belongs_to_sub_agent(connection: &Connection, session: i64) -> Result<bool, Failure> {
    let mut select = connection.prepare_cached("SELECT parent IS NOT NULL FROM sessions WHERE key = ?")?;
    Ok(select.query_row([session], |row| row.get(0))?)
}

/// A turn of the forked session.
struct Original {
    key: i64,
    id: TurnId,
    /// The number of its messages.
    messages: u32,
}

/// Returns the turns of the branch up to number `last` of a session, oldest first.
fn branch(connection: &Connection, session: i64, last: u32) -> Result<Vec<Original>, Failure> {
    let mut select = connection.prepare_cached(
        "WITH RECURSIVE branch (key, id, after, number, messages) AS ( \
         SELECT key, id, after, number, messages FROM turns WHERE session = ?1 AND number = ?2 \
         UNION ALL SELECT t.key, t.id, t.after, t.number, t.messages FROM branch b \
         JOIN turns t ON t.session = ?1 AND t.number = b.after WHERE b.after < b.number) \
         SELECT key, id, messages FROM branch",
    )?;
    let read = |row: &Row<'_>| Ok(Original { key: row.get(0)?, id: turn_id(row, 1)?, messages: row.get(2)? });
    let mut turns = select.query_map((session, last), read)?.collect::<Result<Vec<_>, _>>()?;
    turns.reverse();
    Ok(turns)
}

impl Original {
    /// Copies the turn with its messages. The calls in them get the id of the new turn. The log stays with the
    /// original.
    fn copy(&self, connection: &Connection, session: i64, number: u32, id: TurnId) -> Result<(), Failure> {
        let mut insert = connection.prepare_cached(
            "INSERT INTO turns (id, tenant, user, session, number, after, first_message, messages, cut, kept, agent, state, \
             fence, attempts, interact, resume, accepted_at, started_at, ended_at, trace, anchor, kind) \
             SELECT ?1, tenant, user, ?2, ?3, nullif(?3 - 1, 0), first_message, messages, cut, kept, agent, state, 0, 0, 0, 0, \
             accepted_at, started_at, ended_at, trace, anchor, kind FROM turns WHERE key = ?4",
        )?;
        let turn = insert.insert((id.0.as_bytes(), session, number, self.key))?;
        // Quotation marks within texts are escaped, so the pattern matches only fields.
        let [old, new] = [self.id, id].map(|id| format!("\"uid\":\"{id}."));
        let mut copy = connection.prepare_cached(
            "INSERT INTO messages (turn, ord, body) SELECT ?, ord, replace(body, ?, ?) FROM messages WHERE turn = ?",
        )?;
        let copied = copy.execute((turn, old, new, self.key))?;
        blob_rows::copy_references(connection, self.key, turn)?;
        if copied == self.messages as usize {
            Ok(())
        } else {
            Err(Failure::Unreadable(format!("turn {} has {copied} of its {} messages", self.id, self.messages)))
        }
    }
}

/// Returns the last turn that began, or the turn that it continues if it has not ended.
fn last_over(connection: &Connection, session: &StoredSession) -> Result<Option<u32>, Failure> {
    let Some(head) = session.head else { return Ok(None) };
    let last = BegunTurn::numbered(connection, session.key, head)?;
    Ok(if last.active { last.after } else { Some(last.number) })
}
