//! Turns as lists show them.

use rusqlite::{Connection, OptionalExtension as _, Row, Rows};
use turnkit_core::ports::TurnPage;
use turnkit_core::{Scope, SessionId, Timestamp, TurnId, TurnRecord};

use super::failure::Failure;
use super::rows::{Progress, StoredSession, timestamp, turn_id, unreadable, uuid};

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
    let mut rows = select.query((turn.0.as_bytes(), &scope.tenant.0, &scope.user.0))?;
    rows.next()?.map_or_else(|| Err(Failure::not_found()), record)
}

/// A page of turns, the last accepted first.
pub(super) fn page(connection: &Connection, scope: &Scope, page: &TurnPage) -> Result<Vec<TurnRecord>, Failure> {
    let session = page.session.map(|id| StoredSession::of_owner(connection, scope, id)).transpose()?;
    let after = page.after.map(|turn| Place::of(connection, scope, turn)).transpose()?;
    match (session, page.state.as_deref().map(Progress::of)) {
        (Some(session), _) => of_session(connection, session.key, after, page),
        (None, None | Some(Some(Progress::Over))) => of_owner(connection, scope, after, page),
        (None, Some(Some(Progress::Active | Progress::Queued))) => unfinished(connection, scope, after, page),
        (None, Some(None)) => Ok(Vec::new()),
    }
}

fn of_session(
    connection: &Connection,
    session: i64,
    after: Option<Place>,
    page: &TurnPage,
) -> Result<Vec<TurnRecord>, Failure> {
    if after.as_ref().is_some_and(|after| after.session != session) {
        return Err(Failure::not_found());
    }
    let before = after.map_or(i64::MAX, |after| after.number);
    let mut select = connection.prepare_cached(turns_where!(
        "t.session = ?1 AND t.number < ?2 AND (?3 IS NULL OR t.state = ?3) ORDER BY t.number DESC LIMIT ?4"
    ))?;
    records(select.query((session, before, &page.state, page.limit))?)
}

fn of_owner(
    connection: &Connection,
    scope: &Scope,
    after: Option<Place>,
    page: &TurnPage,
) -> Result<Vec<TurnRecord>, Failure> {
    let before = after.map_or(i64::MAX, |after| after.key);
    let mut select = connection.prepare_cached(turns_where!(
        "t.tenant = ?1 AND t.user = ?2 AND t.key < ?3 AND (?4 IS NULL OR t.state = ?4) ORDER BY t.key DESC LIMIT ?5"
    ))?;
    records(select.query((&scope.tenant.0, &scope.user.0, before, &page.state, page.limit))?)
}

/// Turns that are not over, of which there are few, found among those of all owners and not among all that ever were.
fn unfinished(
    connection: &Connection,
    scope: &Scope,
    after: Option<Place>,
    page: &TurnPage,
) -> Result<Vec<TurnRecord>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT key FROM turns INDEXED BY one_turn WHERE state IN ('running', 'waiting', 'cancelling') \
         AND state = ?1 AND tenant = ?2 AND user = ?3 AND key < ?4 \
         UNION ALL SELECT key FROM turns INDEXED BY queue WHERE state = 'queued' \
         AND state = ?1 AND tenant = ?2 AND user = ?3 AND key < ?4",
    )?;
    let before = after.map_or(i64::MAX, |after| after.key);
    let found = select.query_map((&page.state, &scope.tenant.0, &scope.user.0, before), |row| row.get(0))?;
    let mut keys: Vec<i64> = found.collect::<Result<_, _>>()?;
    keys.sort_unstable_by(|one, other| other.cmp(one));
    keys.truncate(page.limit as usize);
    let mut select = connection.prepare_cached(turns_where!("t.key = ?"))?;
    let mut turns = Vec::with_capacity(keys.len());
    for key in keys {
        turns.extend(records(select.query([key])?)?);
    }
    Ok(turns)
}

/// Where a list goes on.
struct Place {
    key: i64,
    session: i64,
    number: i64,
}

impl Place {
    fn of(connection: &Connection, scope: &Scope, turn: TurnId) -> Result<Self, Failure> {
        let mut select = connection.prepare_cached(
            "SELECT t.key, t.session, t.number FROM turns t JOIN sessions s ON s.key = t.session \
             WHERE t.id = ? AND s.tenant = ? AND s.user = ?",
        )?;
        let found = select.query_row((turn.0.as_bytes(), &scope.tenant.0, &scope.user.0), |row| {
            Ok(Self { key: row.get(0)?, session: row.get(1)?, number: row.get(2)? })
        });
        found.optional()?.ok_or_else(Failure::not_found)
    }
}

fn records(mut rows: Rows<'_>) -> Result<Vec<TurnRecord>, Failure> {
    let mut turns = Vec::new();
    while let Some(row) = rows.next()? {
        turns.push(record(row)?);
    }
    Ok(turns)
}

fn record(row: &Row<'_>) -> Result<TurnRecord, Failure> {
    let state: Box<str> = row.get(4)?;
    if Progress::of(&state).is_none() {
        return Err(unreadable(format_args!("a turn cannot be {state:?}")));
    }
    Ok(TurnRecord {
        id: turn_id(row, 0)?,
        session: SessionId(uuid(row, 1)?),
        number: row.get(2)?,
        agent: row.get(3)?,
        state,
        accepted_at: timestamp(row, 5)?,
        ended_at: row.get::<_, Option<i64>>(6)?.map(Timestamp::from_millis),
    })
}
