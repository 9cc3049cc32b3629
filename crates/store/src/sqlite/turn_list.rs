//! Turns as shown in lists.

use std::ops::Range;

use rusqlite::{Connection, OptionalExtension as _, Row, Rows};
use turnkit_core::ports::{TurnList, TurnPage};
use turnkit_core::{Scope, SessionId, Timestamp, TurnId, TurnOverview, TurnRecord, TurnState, WorkerId};

use super::accepted_before;
use super::failure::Failure;
use super::log;
use super::rows::{
    Stored, StoredSession, optional_turn_id, outline, timestamp, trace, turn_id, turn_state, usage, uuid,
};

/// The maximum number of turns scanned for a page of turns that meet a condition, however few do.
const LOOKED_AT: usize = 1000;
/// The maximum number of logs read for a page.
const LOGS_READ: usize = 400;

macro_rules! turns {
    () => {
        "SELECT t.id, s.id, t.number, t.agent, t.state, t.accepted_at, t.ended_at, t.fresh, t.cache_read, \
         t.cache_write, t.output, t.reasoning, t.unmetered_calls, t.nano_usd, t.unpriced_calls, \
         iif(t.ended_at IS NULL, t.owner, NULL), \
         (SELECT a.id FROM turns a WHERE a.session = t.session AND a.number = t.after), t.trace, t.kind, \
         (SELECT i.id FROM turns i WHERE i.session = t.session AND i.number = t.steered_into), t.steering, \
         (SELECT p.id FROM turns p WHERE p.key = t.parent), t.outline, t.key, s.title FROM turns t"
    };
}

pub(super) use turns;

/// Selects turns in the order of a list, through an index.
macro_rules! listed {
    ($index:literal, $condition:literal, $order:literal) => {
        concat!(
            turns!(),
            " INDEXED BY ",
            $index,
            " JOIN sessions s ON s.key = t.session AND s.removed = 0 WHERE ",
            $condition,
            " ORDER BY ",
            $order,
            " DESC"
        )
    };
}

/// Returns one turn.
pub(super) fn one(connection: &Connection, scope: &Scope, turn: TurnId) -> Result<TurnRecord, Failure> {
    let mut select = connection.prepare_cached(concat!(
        turns!(),
        " JOIN sessions s ON s.key = t.session WHERE t.id = ? AND s.tenant = ? AND s.user = ?"
    ))?;
    let mut rows = select.query((turn.0.as_bytes(), &scope.tenant.0, &scope.user.0))?;
    rows.next()?.map_or_else(|| Err(Failure::not_found()), record)
}

/// Returns a page of turns, most recently accepted first.
pub(super) fn page(connection: &Connection, scope: &Scope, page: &TurnPage) -> Result<TurnList, Failure> {
    let session = page.session.map(|id| StoredSession::of_user(connection, scope, id)).transpose()?;
    let after = page.after.map(|turn| ListPosition::find(connection, scope, turn)).transpose()?;
    match session {
        Some(session) => of_session(connection, session.key, after, page),
        None => of_user(connection, scope, after, page),
    }
}

/// Returns the turns of a session with numbers in `numbers`.
pub(super) fn numbered(
    connection: &Connection,
    scope: &Scope,
    session: SessionId,
    numbers: &Range<u32>,
) -> Result<TurnList, Failure> {
    let session = StoredSession::key_of(connection, scope, session)?;
    let mut select = connection.prepare_cached(concat!(
        turns!(),
        " JOIN sessions s ON s.key = t.session WHERE t.session = ? AND t.number >= ? AND t.number < ? ORDER BY t.number"
    ))?;
    let mut rows = select.query((session, numbers.start, numbers.end))?;
    let mut list = TurnList::default();
    while let Some(row) = rows.next()? {
        match record(row) {
            Ok(turn) => list.turns.push(turn),
            Err(failure) if failure.is_damage() => list.unreadable.push(name_of(row)),
            Err(failure) => return Err(failure),
        }
    }
    Ok(list)
}

/// Returns the turns of a session. Unfinished turns are few, so they are looked up among the unfinished ones, not among
/// all turns.
fn of_session(
    connection: &Connection,
    session: i64,
    after: Option<ListPosition>,
    page: &TurnPage,
) -> Result<TurnList, Failure> {
    if after.as_ref().is_some_and(|after| after.session != session) {
        return Err(Failure::not_found());
    }
    let mut select = connection.prepare_cached(match page.state {
        None | Some(TurnState::Ended(_)) => listed!("turn_number", "t.session = ? AND t.number < ?", "t.number"),
        Some(TurnState::Running | TurnState::Waiting | TurnState::Cancelling) => listed!(
            "one_turn",
            "t.started_at IS NOT NULL AND t.ended_at IS NULL AND t.session = ? AND t.number < ?",
            "t.number"
        ),
        Some(TurnState::Queued) => {
            listed!("queue", "t.state = 'queued' AND t.session = ? AND t.number < ?", "t.number")
        }
    })?;
    read_page(connection, select.query((session, after.map_or(i64::MAX, |after| after.number)))?, page)
}

/// Returns the turns of a user. Unfinished ones are looked up among those of all users.
fn of_user(
    connection: &Connection,
    scope: &Scope,
    after: Option<ListPosition>,
    page: &TurnPage,
) -> Result<TurnList, Failure> {
    let mut select = connection.prepare_cached(match page.state {
        None | Some(TurnState::Ended(_)) => listed!("turn_owner", "t.tenant = ? AND t.user = ? AND t.key < ?", "t.key"),
        Some(TurnState::Running | TurnState::Waiting | TurnState::Cancelling) => listed!(
            "one_turn",
            "t.started_at IS NOT NULL AND t.ended_at IS NULL AND t.tenant = ? AND t.user = ? AND t.key < ?",
            "t.key"
        ),
        Some(TurnState::Queued) => {
            listed!("queue", "t.state = 'queued' AND t.tenant = ? AND t.user = ? AND t.key < ?", "t.key")
        }
    })?;
    let before = after.map_or(i64::MAX, |after| after.key);
    let before = match page.filter.to {
        Some(to) => accepted_before::key_of_first_since(connection, scope, before, to)?,
        None => before,
    };
    read_page(connection, select.query((&scope.tenant.0, &scope.user.0, before))?, page)
}

/// Selects the requested turns from rows in the order of the list. Scans at most [`LOOKED_AT`] rows, and reads at most
/// [`LOGS_READ`] logs.
fn read_page(connection: &Connection, mut rows: Rows<'_>, page: &TurnPage) -> Result<TurnList, Failure> {
    let (mut list, mut last, mut looked_at, mut logs_read) = (TurnList::default(), None, 0, 0);
    let with_overviews = page.overviews || page.filter.needs_overview();
    while let Some(row) = rows.next()? {
        if list.turns.len() >= page.limit as usize || looked_at >= LOOKED_AT || logs_read >= LOGS_READ {
            return Ok(TurnList { next: last, ..list });
        }
        last = turn_id(row, 0).ok().or(last);
        looked_at += 1;
        let turn = match record(row) {
            Ok(turn) => turn,
            Err(failure) if failure.is_damage() => {
                list.unreadable.push(name_of(row));
                continue;
            }
            Err(failure) => return Err(failure),
        };
        if page.filter.is_past(&turn) {
            return Ok(list);
        }
        if page.state.is_some_and(|state| state != turn.state) || !page.filter.accepts(&turn) {
            continue;
        }
        if !with_overviews {
            list.turns.push(turn);
            continue;
        }
        logs_read += usize::from(turn.outline.is_none());
        let overview = overview(connection, row, &turn)?;
        if page.filter.accepts_overview(&overview) {
            let overview = page.overviews.then(|| Box::new(overview));
            list.turns.push(TurnRecord { overview, ..turn });
        }
    }
    Ok(list)
}

/// Returns what lists show of the turn in a row. Of a damaged log, nothing is shown.
fn overview(connection: &Connection, row: &Row<'_>, turn: &TurnRecord) -> Result<TurnOverview, Failure> {
    let overview = match &turn.outline {
        Some(outline) => TurnOverview::of_outline(outline),
        None => match log::chunks(connection, row.get(23)?) {
            Ok(chunks) => TurnOverview::of_log(&chunks),
            Err(failure) if failure.is_damage() => TurnOverview::default(),
            Err(failure) => return Err(failure),
        },
    };
    Ok(TurnOverview { title: row.get(24).unwrap_or_default(), ..overview })
}

/// Returns the id of the turn in a row, or its location if the id is damaged.
fn name_of(row: &Row<'_>) -> String {
    match (turn_id(row, 0), row.get::<_, i64>(2), uuid(row, 1)) {
        (Ok(id), ..) => id.to_string(),
        (_, Ok(number), Ok(session)) => format!("number {number} of session {}", SessionId(session)),
        _ => "without id".to_owned(),
    }
}

/// The position at which a list continues.
struct ListPosition {
    key: i64,
    session: i64,
    number: i64,
}

impl ListPosition {
    fn find(connection: &Connection, scope: &Scope, turn: TurnId) -> Result<Self, Failure> {
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

/// Reads a row of [`turns`].
pub(super) fn record(row: &Row<'_>) -> Result<TurnRecord, Failure> {
    read(row).map_err(|failure| failure.about(|| format!("turn {}", name_of(row))))
}

fn read(row: &Row<'_>) -> Result<TurnRecord, Failure> {
    let (id, state) = (turn_id(row, 0)?, turn_state(row, 4)?);
    Ok(TurnRecord {
        id,
        session: SessionId(uuid(row, 1)?),
        number: row.get(2)?,
        agent: row.get(3)?,
        state,
        accepted_at: timestamp(row, 5)?,
        ended_at: row.get::<_, Option<i64>>(6)?.map(Timestamp::from_millis),
        usage: row.get::<_, Option<i64>>(7)?.map(|_| usage(row, 7)).transpose()?,
        owner: row.get::<_, Option<String>>(15)?.map(|owner| WorkerId(owner.into())),
        // A damaged turn does not hide the turns that continue it.
        after: optional_turn_id(row, 16).unwrap_or_default(),
        trace: trace(row, 17, id)?,
        kind: row.get::<_, Option<Stored<_>>>(18)?.map(|Stored(kind)| kind).unwrap_or_default(),
        steering: state == TurnState::Queued && row.get(20).unwrap_or_default(),
        steered_into: optional_turn_id(row, 19).unwrap_or_default(),
        parent: optional_turn_id(row, 21).unwrap_or_default(),
        outline: outline(row, 22)?,
        overview: None,
    })
}
