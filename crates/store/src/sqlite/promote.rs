//! The queue of a session. Its first turn starts when the session is idle.

use rusqlite::{Connection, OptionalExtension as _};
use turnkit_core::{Claim, ClaimedTurn, ClientCaps, Deaths, Fence, Scope, Session, Timestamp, TurnId, WorkerId};

use super::ancestor::Ancestor;
use super::cut::Cut;
use super::failure::Failure;
use super::rows::{caps, turn_id, unreadable};

/// The first turn of a queue.
pub(super) struct Queued {
    key: i64,
    pub(super) id: TurnId,
    pub(super) number: u32,
    fence: Fence,
    agent: Box<str>,
    caps: ClientCaps,
    /// The number of the turn that it continues, or [`BEGINNING`](Self::BEGINNING). Absent if it continues the head.
    after: Option<u32>,
}

/// The worker that starts a queued turn, and the turn's place in the session.
pub(super) struct Promotion<'a> {
    pub(super) scope: &'a Scope,
    pub(super) worker: &'a WorkerId,
    pub(super) session: Session,
    /// The turn that it continues unless it names another one, and the number of messages in that history.
    pub(super) after: Option<u32>,
    pub(super) history: u32,
    /// The cut of that history.
    pub(super) cut: Option<Cut>,
    pub(super) at: Timestamp,
}

impl Queued {
    /// The value of `turns.after` for a queued turn that starts without history.
    pub(super) const BEGINNING: u32 = 0;

    pub(super) fn first(connection: &Connection, session: i64) -> Result<Option<Self>, Failure> {
        let mut select = connection.prepare_cached(
            "SELECT key, id, number, fence, agent, interact, resume, after FROM turns \
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
                after: row.get(7)?,
            })
        });
        Ok(found.optional()?)
    }

    /// Starts the turn: its input becomes its first message. The caller must move the session's head to the turn.
    pub(super) fn begin(self, connection: &Connection, promotion: Promotion<'_>) -> Result<ClaimedTurn, Failure> {
        let (after, history, cut) = match self.after {
            None => (promotion.after, promotion.history, promotion.cut),
            Some(Self::BEGINNING) => (None, 0, None),
            Some(_) => {
                let ancestor = Ancestor::of_queued(connection, self.key)?;
                let ancestor = ancestor.ok_or_else(|| unreadable("the turn that a queued turn continues is gone"))?;
                (Some(ancestor.number), ancestor.messages, ancestor.cut)
            }
        };
        let Promotion { scope, worker, session, at, .. } = promotion;
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
        Ok(ClaimedTurn {
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
            after,
            // A chore is never queued.
            chore: false,
        })
    }
}
