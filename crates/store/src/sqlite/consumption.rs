//! Usage: the sums of turns, of sessions, and of an owner's days.

use rusqlite::{Connection, Params, Row, ToSql, params};
use turnkit_core::{Consumption, Day, Scope, TenantId, Timestamp, Usage, UserId};

use super::failure::Failure;
use super::rows::{sum, usage};

/// The largest stored sum, and the largest number added to one. It is far from overflow, whatever counts a provider
/// reports.
const MOST: i64 = i64::MAX / 4;

/// Adds counts, the first eight parameters, to sums that are limited to the ninth.
macro_rules! add_counts {
    () => {
        "fresh = min(fresh + ?1, ?9), cache_read = min(cache_read + ?2, ?9), \
         cache_write = min(cache_write + ?3, ?9), output = min(output + ?4, ?9), \
         reasoning = min(reasoning + ?5, ?9), unmetered_calls = min(unmetered_calls + ?6, 4294967295), \
         nano_usd = min(nano_usd + ?7, ?9), unpriced_calls = min(unpriced_calls + ?8, 4294967295)"
    };
}

/// Writes the usage and the status of a turn that has ended.
pub(super) fn end_turn(
    connection: &Connection,
    turn: i64,
    (messages, anchor): (u32, Option<&str>),
    (status, at): (&str, Timestamp),
    usage: &Usage,
) -> Result<(), Failure> {
    const SQL: &str = "UPDATE turns SET fresh = ?1, cache_read = ?2, cache_write = ?3, output = ?4, reasoning = ?5, \
                       unmetered_calls = ?6, nano_usd = ?7, unpriced_calls = ?8, machine = NULL, attempts = 0, \
                       messages = ?9, state = ?10, ended_at = ?11, anchor = ?12 WHERE key = ?13";
    execute(connection, SQL, usage, params![messages, status, at.millis(), anchor, turn])?;
    Ok(())
}

/// Adds a turn to the sums of its session, and makes the turn numbered `next`, if there is one, the session's head.
pub(super) fn add_to_session(
    connection: &Connection,
    session: i64,
    usage: &Usage,
    next: Option<u32>,
    at: Timestamp,
) -> Result<(), Failure> {
    const SQL: &str = concat!(
        "UPDATE sessions SET ",
        add_counts!(),
        ", head = coalesce(?10, head), last_active_at = ?11 WHERE key = ?12"
    );
    match execute(connection, SQL, usage, params![MOST, next, at.millis(), session])? {
        1 => Ok(()),
        _ => Err(Failure::Unreadable("a turn has no session".to_owned())),
    }
}

/// Adds `calls` model calls to the daily sum with this key.
pub(super) fn add_to_day(connection: &Connection, key: i64, calls: u32, usage: &Usage) -> Result<(), Failure> {
    const SQL: &str = concat!("UPDATE usage SET ", add_counts!(), ", calls = calls + ?10 WHERE key = ?11");
    match execute(connection, SQL, usage, params![MOST, calls, key])? {
        1 => Ok(()),
        _ => Err(Failure::Unreadable("the sum of a day is gone".to_owned())),
    }
}

/// Runs a statement with the counts of `usage` as its first eight parameters, followed by those of `more`. Returns the
/// number of changed rows.
fn execute(connection: &Connection, sql: &str, usage: &Usage, more: &[&dyn ToSql]) -> Result<usize, Failure> {
    let counts = [
        kept(usage.fresh),
        kept(usage.cache_read),
        kept(usage.cache_write),
        kept(usage.output),
        kept(usage.reasoning),
        usage.unmetered_calls.into(),
        kept(usage.cost.nano_usd),
        usage.cost.unpriced_calls.into(),
    ];
    let mut statement = connection.prepare_cached(sql)?;
    let counts = counts.iter().map(|count| count as &dyn ToSql);
    for (place, value) in (1..).zip(counts.chain(more.iter().copied())) {
        statement.raw_bind_parameter(place, value)?;
    }
    Ok(statement.raw_execute()?)
}

/// Selects the columns that [`consumption`] reads.
macro_rules! consumed_where {
    ($condition_and_order:literal) => {
        concat!(
            "SELECT user, day, agent, provider, model, calls, fresh, cache_read, cache_write, output, reasoning, \
             unmetered_calls, nano_usd, unpriced_calls FROM usage WHERE ",
            $condition_and_order
        )
    };
}

/// Returns an owner's usage in these days.
pub(super) fn consumed(
    connection: &Connection,
    scope: &Scope,
    from: Day,
    to: Day,
) -> Result<Vec<Consumption>, Failure> {
    const SQL: &str =
        consumed_where!("tenant = ? AND user = ? AND day BETWEEN ? AND ? ORDER BY day, agent, provider, model");
    read(connection, SQL, (&scope.tenant.0, &scope.user.0, from.number(), to.number()))
}

/// Returns the usage of a tenant's users in these days.
pub(super) fn consumed_by_users(
    connection: &Connection,
    tenant: &TenantId,
    from: Day,
    to: Day,
) -> Result<Vec<Consumption>, Failure> {
    const SQL: &str = consumed_where!("tenant = ? AND day BETWEEN ? AND ? ORDER BY user, day, agent, provider, model");
    read(connection, SQL, (&tenant.0, from.number(), to.number()))
}

fn read(connection: &Connection, sql: &str, of: impl Params) -> Result<Vec<Consumption>, Failure> {
    let mut select = connection.prepare_cached(sql)?;
    let rows = select.query_map(of, consumption)?;
    rows.map(|row| row.map_err(Failure::from)).collect()
}

fn consumption(row: &Row<'_>) -> Result<Consumption, rusqlite::Error> {
    Ok(Consumption {
        user: UserId(row.get_ref(0)?.as_str()?.into()),
        day: Day::from_number(row.get(1)?),
        agent: row.get_ref(2)?.as_str()?.into(),
        provider: row.get_ref(3)?.as_str()?.into(),
        model: row.get_ref(4)?.as_str()?.into(),
        calls: sum(row, 5)?,
        usage: usage(row, 6)?,
    })
}

/// Returns the sum of an owner's usage in these days. `total` does not overflow, whatever counts a provider reported.
pub(super) fn total_consumed(connection: &Connection, scope: &Scope, from: Day, to: Day) -> Result<Usage, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT CAST(min(total(fresh), ?5) AS INTEGER), CAST(min(total(cache_read), ?5) AS INTEGER), \
         CAST(min(total(cache_write), ?5) AS INTEGER), CAST(min(total(output), ?5) AS INTEGER), \
         CAST(min(total(reasoning), ?5) AS INTEGER), CAST(min(total(unmetered_calls), 4294967295) AS INTEGER), \
         CAST(min(total(nano_usd), ?5) AS INTEGER), CAST(min(total(unpriced_calls), 4294967295) AS INTEGER) \
         FROM usage WHERE tenant = ?1 AND user = ?2 AND day BETWEEN ?3 AND ?4",
    )?;
    let owner = (&scope.tenant.0, &scope.user.0, from.number(), to.number(), MOST);
    Ok(select.query_row(owner, |row| usage(row, 0))?)
}

fn kept(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(MOST).min(MOST)
}
