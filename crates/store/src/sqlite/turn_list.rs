//! Turns as lists show them.

use rusqlite::{Connection, OptionalExtension as _, Params, Row};
use turnkit_core::ports::TurnPage;
use turnkit_core::{Scope, SessionId, Timestamp, TurnId, TurnRecord};

use super::failure::Failure;
use super::rows::{StoredSession, timestamp, turn_id, uuid};

macro_rules! turns_where {
    ($condition:literal) => {
        concat!(
            "SELECT t.id, s.id, t.number, t.agent, t.state, t.accepted_at, t.ended_at FROM turns t \
             JOIN sessions s ON s.key = t.session WHERE ",
            $condition
        )
    };
}

/// One turn.
pub(super) fn one(connection: &Connection, scope: &Scope, turn: TurnId) -> Result<TurnRecord, Failure> {
    let mut select = connection.prepare_cached(turns_where!("t.id = ? AND s.tenant = ? AND s.user = ?"))?;
    let found = select.query_row((turn.0.as_bytes(), &scope.tenant.0, &scope.user.0), record);
    found.optional()?.ok_or_else(Failure::not_found)
}

/// A page of turns, the last accepted first.
pub(super) fn page(connection: &Connection, scope: &Scope, page: &TurnPage) -> Result<Vec<TurnRecord>, Failure> {
    let (tenant, user) = (&scope.tenant.0, &scope.user.0);
    let session = page.session.map(|id| StoredSession::of_owner(connection, scope, id)).transpose()?;
    let before = page.after.map(|turn| place(connection, scope, turn)).transpose()?;
    let state = page.state.as_deref();
    match session {
        Some(session) => {
            let before = match before {
                Some((_, of, number)) if of == session.key => number,
                Some(_) => return Err(Failure::not_found()),
                None => i64::MAX,
            };
            let sql = turns_where!(
                "t.session = ?1 AND t.number < ?2 AND (?3 IS NULL OR t.state = ?3) ORDER BY t.number DESC LIMIT ?4"
            );
            select(connection, sql, (session.key, before, state, page.limit))
        }
        None => {
            let before = before.map_or(i64::MAX, |(key, ..)| key);
            let sql = turns_where!(
                "t.tenant = ?1 AND t.user = ?2 AND t.key < ?3 AND (?4 IS NULL OR t.state = ?4) \
                 ORDER BY t.key DESC LIMIT ?5"
            );
            select(connection, sql, (tenant, user, before, state, page.limit))
        }
    }
}

fn select(connection: &Connection, sql: &str, page: impl Params) -> Result<Vec<TurnRecord>, Failure> {
    let turns = connection.prepare_cached(sql)?.query_map(page, record)?.collect::<Result<_, _>>()?;
    Ok(turns)
}

/// The key of a turn, that of its session, and its number there.
fn place(connection: &Connection, scope: &Scope, turn: TurnId) -> Result<(i64, i64, i64), Failure> {
    let mut select = connection.prepare_cached(
        "SELECT t.key, t.session, t.number FROM turns t JOIN sessions s ON s.key = t.session \
         WHERE t.id = ? AND s.tenant = ? AND s.user = ?",
    )?;
    let place = select.query_row((turn.0.as_bytes(), &scope.tenant.0, &scope.user.0), |row| row.try_into());
    place.optional()?.ok_or_else(Failure::not_found)
}

fn record(row: &Row<'_>) -> Result<TurnRecord, rusqlite::Error> {
    Ok(TurnRecord {
        id: turn_id(row, 0)?,
        session: SessionId(uuid(row, 1)?),
        number: row.get(2)?,
        agent: row.get(3)?,
        state: row.get(4)?,
        accepted_at: timestamp(row, 5)?,
        ended_at: row.get::<_, Option<i64>>(6)?.map(Timestamp::from_millis),
    })
}
