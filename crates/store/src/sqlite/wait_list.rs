//! The pending and decided waits of turns, as shown in lists.

use rusqlite::{Connection, OptionalExtension as _, Row, Rows};
use turnkit_core::ports::{WaitList, WaitPage};
use turnkit_core::{CallUid, Scope, SessionId, TurnId, Wait, WaitId};

use super::failure::Failure;
use super::rows::{Stored, StoredSession, from_json, optional_turn_id, timestamp, turn_id, uuid};
use super::waits::resolution;

macro_rules! waits {
    () => {
        "SELECT t.id, w.step, w.ordinal, w.number, s.id, w.kind, w.question, w.created_at, w.expires_at, w.resolution, \
         w.decided_at, w.turn, (SELECT p.id FROM turns p WHERE p.key = t.parent) FROM waits w"
    };
}

pub(super) use waits;

/// Selects waits in the order of a list, through an index. The order of the tables is fixed: SQLite would sort the waits
/// of a family if it began with the turns.
macro_rules! listed {
    ($index:literal, $($condition:tt)+) => {
        concat!(
            waits!(),
            $index,
            " CROSS JOIN turns t ON t.key = w.turn JOIN sessions s ON s.key = t.session AND s.removed = 0 WHERE ",
            $($condition)+,
            " AND (w.turn, w.step, w.ordinal, w.number) > (?, ?, ?, ?)",
            " ORDER BY w.turn, w.step, w.ordinal, w.number"
        )
    };
}

/// The condition that the wait is pending, and that a client decides it.
macro_rules! pending {
    () => {
        "w.decided_at IS NULL AND w.kind <> 'child'"
    };
}

/// The condition that the wait is of a turn of this session or below it. Without a session, every wait is.
macro_rules! in_session {
    () => {
        " AND EXISTS (WITH RECURSIVE above (key) AS (VALUES (t.session) \
         UNION ALL SELECT u.parent FROM above b CROSS JOIN sessions u ON u.key = b.key WHERE u.parent IS NOT NULL) \
         SELECT 1 FROM above b WHERE b.key = ifnull(?, b.key))"
    };
}

/// The condition that the wait is of this turn or of a turn below it. Turns below are stored later, so they follow in the
/// order of the list.
macro_rules! of_family {
    () => {
        "w.turn IN (WITH RECURSIVE family (key) AS (VALUES (?) \
         UNION ALL SELECT c.key FROM family b CROSS JOIN turns c INDEXED BY child_turns ON c.parent = b.key) \
         SELECT b.key FROM family b)"
    };
}

/// Returns one wait.
pub(super) fn one(connection: &Connection, scope: &Scope, wait: WaitId) -> Result<Wait, Failure> {
    let mut select = connection.prepare_cached(concat!(
        waits!(),
        " JOIN turns t ON t.key = w.turn JOIN sessions s ON s.key = t.session \
         WHERE t.id = ? AND s.tenant = ? AND s.user = ? AND w.step = ? AND w.ordinal = ? AND w.number = ?"
    ))?;
    let WaitId { call, number } = wait;
    let (tenant, user) = (&scope.tenant.0, &scope.user.0);
    let mut rows = select.query((call.turn.0.as_bytes(), tenant, user, call.step, call.ordinal, number))?;
    rows.next()?.map_or_else(|| Err(Failure::not_found()), read)
}

/// Returns a page of waits. Pending waits are few, so they are looked up among the pending ones. Waits for sub-agents
/// are excluded, because no client decides them.
pub(super) fn page(connection: &Connection, scope: &Scope, page: &WaitPage) -> Result<WaitList, Failure> {
    let session = page.session.map(|id| StoredSession::key_of(connection, scope, id)).transpose()?;
    let turn = page.turn.map(|id| key_of_turn(connection, scope, id)).transpose()?;
    let after = match page.after {
        Some(WaitId { call, number }) => {
            let turn = key_of_turn(connection, scope, call.turn)?;
            (turn, call.step, call.ordinal, number)
        }
        None => (0, 0, 0, 0),
    };
    let mut select;
    let rows = match turn {
        Some(turn) => {
            select = connection.prepare_cached(match page.below {
                true => listed!("", of_family!(), " AND (? OR ", pending!(), ")", in_session!()),
                false => listed!("", "w.turn = ? AND (? OR ", pending!(), ") AND t.session = ifnull(?, t.session)"),
            })?;
            select.query((turn, !page.pending, session, after.0, after.1, after.2, after.3))?
        }
        None => {
            select = connection.prepare_cached(of_user(page))?;
            let (tenant, user) = (&scope.tenant.0, &scope.user.0);
            select.query((tenant, user, session, after.0, after.1, after.2, after.3))?
        }
    };
    read_page(rows, page.limit as usize)
}

/// Returns the statement that selects waits of a user, optionally of one session.
fn of_user(page: &WaitPage) -> &'static str {
    match (page.pending, page.below && page.session.is_some()) {
        (true, true) => {
            listed!(" INDEXED BY wait_pending", "w.tenant = ? AND w.user = ? AND ", pending!(), in_session!())
        }
        (true, false) => listed!(
            " INDEXED BY wait_pending",
            "w.tenant = ? AND w.user = ? AND ",
            pending!(),
            " AND t.session = ifnull(?, t.session)"
        ),
        (false, true) => listed!(" INDEXED BY wait_owner", "w.tenant = ? AND w.user = ?", in_session!()),
        (false, false) => {
            listed!(" INDEXED BY wait_owner", "w.tenant = ? AND w.user = ? AND t.session = ifnull(?, t.session)")
        }
    }
}

fn read_page(mut rows: Rows<'_>, limit: usize) -> Result<WaitList, Failure> {
    let mut list = WaitList::default();
    while let Some(row) = rows.next()? {
        if list.waits.len() == limit {
            list.next = list.waits.last().map(|last| last.id);
            break;
        }
        match read(row) {
            Ok(wait) => list.waits.push(wait),
            Err(failure) if failure.is_damage() => list.unreadable.push(name_of(row)),
            Err(failure) => return Err(failure),
        }
    }
    Ok(list)
}

/// Returns the row key of a user's turn.
fn key_of_turn(connection: &Connection, scope: &Scope, turn: TurnId) -> Result<i64, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT t.key FROM turns t JOIN sessions s ON s.key = t.session WHERE t.id = ? AND s.tenant = ? AND s.user = ?",
    )?;
    let owned = (turn.0.as_bytes(), &scope.tenant.0, &scope.user.0);
    select.query_row(owned, |row| row.get(0)).optional()?.ok_or_else(Failure::not_found)
}

/// Reads the columns of [`waits`].
pub(super) fn read(row: &Row<'_>) -> Result<Wait, Failure> {
    let call = CallUid { turn: turn_id(row, 0)?, step: row.get(1)?, ordinal: row.get(2)? };
    let Stored(kind) = row.get(5)?;
    let resolution = resolution(row, 9)?;
    Ok(Wait {
        id: WaitId { call, number: row.get(3)? },
        session: SessionId(uuid(row, 4)?),
        // A damaged turn does not hide the waits of those below it.
        parent: optional_turn_id(row, 12).unwrap_or_default(),
        kind,
        question: from_json(row.get_ref(6)?)?,
        created_at: timestamp(row, 7)?,
        expires_at: timestamp(row, 8)?,
        decided: resolution.map(|resolution| Ok::<_, Failure>((resolution, timestamp(row, 10)?))).transpose()?,
    })
}

/// Returns the name of a damaged row for error messages.
pub(super) fn name_of(row: &Row<'_>) -> String {
    match turn_id(row, 0) {
        Ok(turn) => format!("a question of turn {turn}"),
        Err(_) => format!("a question of the turn in row {}", row.get::<_, i64>(11).unwrap_or_default()),
    }
}
