//! Claims turns without an owner, and releases them.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension as _};
use turnkit_core::{
    Claim, ClaimedTurn, Deaths, Fence, OrphanedTurn, Release, Scope, StopReason, StoreError, SweepOutcome, Timestamp,
    TurnId, WorkerId,
};

use super::cut::Cut;
use super::failure::Failure;
use super::promote::{Promotion, Queued};
use super::rows::{Stored, StoredSession, caps, deaths, message_end, timestamp, turn_id};

/// Finds unowned turns after the one at `last`, oldest first, with their keys. Skips turns that saw several deaths. A
/// turn whose id is damaged cannot be claimed, and must not block the others.
pub(super) fn oldest(connection: &Connection, last: i64, limit: usize) -> Result<Vec<(i64, Option<TurnId>)>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT key, id FROM turns INDEXED BY one_turn WHERE started_at IS NOT NULL AND ended_at IS NULL \
         AND state <> 'waiting' AND owner IS NULL AND deaths < ?1 AND key > ?2 \
         UNION ALL \
         SELECT q.key, q.id FROM turns q INDEXED BY queue WHERE q.state = 'queued' AND q.key > ?2 \
         AND NOT EXISTS (SELECT 1 FROM turns b WHERE b.session = q.session AND b.state = 'queued' AND b.number < q.number) \
         AND NOT EXISTS (SELECT 1 FROM turns a \
         WHERE a.session = q.session AND a.started_at IS NOT NULL AND a.ended_at IS NULL) \
         ORDER BY 1 LIMIT ?3",
    )?;
    let page = (Deaths::SUSPICIOUS, last, i64::try_from(limit).unwrap_or(i64::MAX));
    let found = select.query_map(page, |row| Ok((row.get(0)?, turn_id(row, 1).ok())))?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// Lists the findings of a sweep of `worker`.
pub(super) fn swept(connection: &Connection, worker: &WorkerId) -> Result<SweepOutcome, Failure> {
    let mut swept = SweepOutcome::default();
    let mut select = connection.prepare_cached(
        "SELECT id, owner, stop, deaths, blame FROM turns INDEXED BY one_turn \
         WHERE started_at IS NOT NULL AND ended_at IS NULL AND state <> 'waiting' \
         AND (owner IS NULL AND deaths >= ?1 OR owner = ?2 AND state = 'cancelling') ORDER BY key",
    )?;
    let mut rows = select.query((Deaths::SUSPICIOUS, &worker.0))?;
    while let Some(row) = rows.next()? {
        let Ok(turn) = turn_id(row, 0) else { continue };
        if row.get_ref(1)? == ValueRef::Null {
            // A damaged count must not block the turn, which starts again at 0.
            swept.suspects.push(OrphanedTurn { turn, deaths: deaths(row, 3).unwrap_or_default() });
        } else if let Ok(Some(Stored(reason))) = row.get(2) {
            swept.stops.push((turn, reason));
        }
    }
    Ok(swept)
}

/// Lists the workers that own turns.
pub(super) fn owners(connection: &Connection) -> Result<Vec<WorkerId>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT DISTINCT owner FROM turns INDEXED BY one_turn \
         WHERE started_at IS NOT NULL AND ended_at IS NULL AND owner IS NOT NULL",
    )?;
    let owners = select.query_map([], |row| Ok(WorkerId(row.get::<_, String>(0)?.into())))?;
    Ok(owners.collect::<Result<_, _>>()?)
}

/// Claims `turn` for `worker`, if it has no owner and its session is free.
pub(super) fn claim(
    connection: &Connection,
    worker: &WorkerId,
    turn: TurnId,
    at: Timestamp,
) -> Result<Option<ClaimedTurn>, Failure> {
    match take_over(connection, worker, turn)? {
        Some(claimed) => Ok(Some(claimed)),
        None => promote(connection, worker, turn, at),
    }
}

fn take_over(connection: &Connection, worker: &WorkerId, turn: TurnId) -> Result<Option<ClaimedTurn>, Failure> {
    let mut update = connection.prepare_cached(
        "UPDATE turns SET fence = fence + 1, attempts = attempts + 1, suspended = 0, owner = ?1 \
         WHERE id = ?2 AND state IN ('running', 'cancelling') AND owner IS NULL \
         RETURNING session, fence, number, attempts, interact, resume, first_message, messages, started_at, stop, agent, \
         deaths, blame, after, chore",
    )?;
    let mut rows = update.query((&worker.0, turn.0.as_bytes()))?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let (scope, stored) = owner_of(connection, row.get(0)?)?;
    let stop: Option<Stored<StopReason>> = row.get(9)?;
    Ok(Some(ClaimedTurn {
        claim: Claim::granted_by_store(turn, scope, Fence(row.get(1)?), worker.clone()),
        number: row.get(2)?,
        attempts: row.get(3)?,
        deaths: deaths(row, 11).unwrap_or_default(),
        agent: row.get(10)?,
        caps: caps(row, 4)?,
        session: stored.session,
        messages: message_end(row, 6)?,
        started_at: timestamp(row, 8)?,
        stop: stop.map(|Stored(reason)| reason),
        after: row.get(13)?,
        chore: row.get(14)?,
    }))
}

/// Clears the owner of a turn. The fence stays until the next claim.
pub(super) fn release(connection: &Connection, claim: &Claim, why: Release) -> Result<(), Failure> {
    let (deaths, blame) = match why {
        Release::HandedOver => (0, 0),
        Release::Unsaved => (1, Deaths::WHOLE),
    };
    let mut update = connection.prepare_cached(
        "UPDATE turns SET deaths = deaths + iif(owner IS NULL, 0, ?3), blame = blame + iif(owner IS NULL, 0, ?4), \
         owner = NULL WHERE id = ?1 AND fence = ?2 AND (owner = ?5 OR owner IS NULL) AND state IN ('running', 'cancelling')",
    )?;
    match update.execute((claim.turn().0.as_bytes(), claim.fence().0, deaths, blame, &claim.worker().0))? {
        0 => Err(Failure::Refused(StoreError::Fenced)),
        _ => Ok(()),
    }
}

/// Starts the turn if it is the first in the queue of an idle session.
fn promote(
    connection: &Connection,
    worker: &WorkerId,
    turn: TurnId,
    at: Timestamp,
) -> Result<Option<ClaimedTurn>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT q.session, s.head, h.first_message, h.messages, h.cut, h.kept FROM turns q \
         JOIN sessions s ON s.key = q.session LEFT JOIN turns h ON h.session = s.key AND h.number = s.head \
         WHERE q.id = ? AND q.state = 'queued' AND NOT EXISTS \
         (SELECT 1 FROM turns a WHERE a.session = q.session AND a.started_at IS NOT NULL AND a.ended_at IS NULL)",
    )?;
    let found = select.query_row([turn.0.as_bytes()], |row| {
        let head: Option<u32> = row.get(1)?;
        Ok((row.get(0)?, head.map_or(Ok(0), |_| message_end(row, 2))?, Cut::read(row, 4)?))
    });
    let Some((key, history, cut)) = found.optional()? else { return Ok(None) };
    let Some(first) = Queued::first(connection, key)?.filter(|first| first.id == turn) else { return Ok(None) };
    let (scope, StoredSession { head: after, mut session, .. }) = owner_of(connection, key)?;
    session.last_active = at;
    let mut update = connection.prepare_cached("UPDATE sessions SET head = ?, last_active_at = ? WHERE key = ?")?;
    update.execute((first.number, at.millis(), key))?;
    let promotion = Promotion { scope: &scope, worker, session, after, history, cut, at };
    first.begin(connection, promotion).map(Some)
}

/// Returns a session and its owner.
fn owner_of(connection: &Connection, key: i64) -> Result<(Scope, StoredSession), Failure> {
    let mut select = connection.prepare_cached("SELECT tenant, user FROM sessions WHERE key = ?")?;
    let scope = select.query_row([key], |row| Ok(Scope::new(row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
    Ok((scope, StoredSession::by_key(connection, key)?))
}
