//! The queue of a session: its first turn begins when the session is free.

use rusqlite::{Connection, OptionalExtension as _};
use turnkit_core::{Claim, Claimed, ClientCaps, Deaths, Fence, Scope, Session, Timestamp, TurnId, WorkerId};

use super::cut::Cut;
use super::failure::Failure;
use super::rows::{caps, turn_id};

/// The first turn of a queue.
pub(super) struct Queued {
    key: i64,
    pub(super) id: TurnId,
    pub(super) number: u32,
    fence: Fence,
    agent: Box<str>,
    caps: ClientCaps,
}

/// Who takes a turn, and where it goes on.
pub(super) struct Promotion<'a> {
    pub(super) scope: &'a Scope,
    pub(super) worker: &'a WorkerId,
    pub(super) session: Session,
    /// The turn it continues, and how many messages that history has.
    pub(super) after: Option<u32>,
    pub(super) history: u32,
    /// The cut of that history.
    pub(super) cut: Option<Cut>,
    pub(super) at: Timestamp,
}

impl Queued {
    pub(super) fn first(connection: &Connection, session: i64) -> Result<Option<Self>, Failure> {
        let mut select = connection.prepare_cached(
            "SELECT key, id, number, fence, agent, interact, resume FROM turns \
             WHERE session = ? AND state = 'queued' ORDER BY number LIMIT 1",
        )?;
        let found = select.query_row([session], |row| {
            Ok(Self {
                key: row.get(0)?,
                id: turn_id(row, 1)?,
                number: row.get(2)?,
                fence: Fence(row.get(3)?),
                agent: row.get(4)?,
                caps: caps(row, 5)?,
            })
        });
        Ok(found.optional()?)
    }

    /// The turn begins: its input becomes its first message. The session's head must be moved to it as well.
    pub(super) fn begin(self, connection: &Connection, promotion: Promotion<'_>) -> Result<Claimed, Failure> {
        let Promotion { scope, worker, session, after, history, cut, at } = promotion;
        let mut insert = connection
            .prepare_cached("INSERT INTO messages (turn, ord, body) SELECT key, 0, input FROM turns WHERE key = ?")?;
        insert.execute([self.key])?;
        let fence = self.fence.next();
        let mut update = connection.prepare_cached(
            "UPDATE turns SET state = 'running', fence = ?, owner = ?, attempts = 1, after = ?, first_message = ?, \
             messages = 1, input = NULL, started_at = ?, cut = ?, kept = ? WHERE key = ?",
        )?;
        let (covers, keeps) = (cut.map(|cut| cut.covers), cut.and_then(|cut| cut.keeps));
        update.execute((fence.0, &worker.0, after, history, at.millis(), covers, keeps, self.key))?;
        Ok(Claimed {
            claim: Claim::granted_by_store(self.id, scope.clone(), fence, worker.clone()),
            number: self.number,
            attempts: 1,
            deaths: Deaths::default(),
            agent: self.agent,
            caps: self.caps,
            session,
            messages: history.saturating_add(1),
            started_at: at,
            stop: None,
        })
    }
}
