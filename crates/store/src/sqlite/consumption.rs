//! What was consumed: in sums of turns, of sessions, and of an owner's days.

use rusqlite::{Connection, Row, params};
use turnkit_core::{Consumption, Day, Scope, Str, Timestamp, Usage};

use super::failure::Failure;
use super::rows::{sum, usage};

/// The largest sum that is kept, and the largest number that is added to one: far from overflow, whatever a provider
/// claims.
const MOST: i64 = i64::MAX / 4;
/// A turn is over: writes what it consumed with how it ended.
pub(super) fn end_turn(
    connection: &Connection,
    turn: i64,
    messages: u32,
    (status, at): (&str, Timestamp),
    usage: &Usage,
) -> Result<(), Failure> {
    let mut update = connection.prepare_cached(
        "UPDATE turns SET machine = NULL, attempts = 0, messages = ?, state = ?, ended_at = ?, fresh = ?, \
         cache_read = ?, cache_write = ?, output = ?, reasoning = ?, unmetered_calls = ?, nano_usd = ?, \
         unpriced_calls = ? WHERE key = ?",
    )?;
    update.execute(params![
        messages,
        status,
        at.millis(),
        kept(usage.fresh),
        kept(usage.cache_read),
        kept(usage.cache_write),
        kept(usage.output),
        kept(usage.reasoning),
        usage.unmetered_calls,
        kept(usage.cost.nano_usd),
        usage.cost.unpriced_calls,
        turn,
    ])?;
    Ok(())
}

/// Adds a turn to the sums of its session, which goes on with the turn numbered `next`, if there is one.
pub(super) fn add_to_session(
    connection: &Connection,
    session: i64,
    usage: &Usage,
    next: Option<u32>,
    at: Timestamp,
) -> Result<(), Failure> {
    let mut update = connection.prepare_cached(
        "UPDATE sessions SET fresh = min(fresh + ?2, ?10), cache_read = min(cache_read + ?3, ?10), \
         cache_write = min(cache_write + ?4, ?10), output = min(output + ?5, ?10), \
         reasoning = min(reasoning + ?6, ?10), unmetered_calls = min(unmetered_calls + ?7, 4294967295), \
         nano_usd = min(nano_usd + ?8, ?10), unpriced_calls = min(unpriced_calls + ?9, 4294967295), \
         head = coalesce(?11, head), last_active_at = ?12 WHERE key = ?1",
    )?;
    let updated = update.execute(params![
        session,
        kept(usage.fresh),
        kept(usage.cache_read),
        kept(usage.cache_write),
        kept(usage.output),
        kept(usage.reasoning),
        usage.unmetered_calls,
        kept(usage.cost.nano_usd),
        usage.cost.unpriced_calls,
        MOST,
        next,
        at.millis(),
    ])?;
    if updated == 1 { Ok(()) } else { Err(Failure::Unreadable("a turn has no session".to_owned())) }
}

/// Adds a model call to the sums of its owner's day.
pub(super) fn add_to_day(
    connection: &Connection,
    scope: &Scope,
    at: Timestamp,
    agent: &str,
    (provider, model, usage): (&Str, &Str, &Usage),
) -> Result<(), Failure> {
    let mut upsert = connection.prepare_cached(
        "INSERT INTO usage VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14) \
         ON CONFLICT DO UPDATE SET calls = calls + 1, fresh = min(fresh + ?7, ?15), \
         cache_read = min(cache_read + ?8, ?15), cache_write = min(cache_write + ?9, ?15), \
         output = min(output + ?10, ?15), reasoning = min(reasoning + ?11, ?15), \
         unmetered_calls = min(unmetered_calls + ?12, 4294967295), nano_usd = min(nano_usd + ?13, ?15), \
         unpriced_calls = min(unpriced_calls + ?14, 4294967295)",
    )?;
    upsert.execute(params![
        scope.tenant.0,
        scope.user.0,
        Day::from(at).number(),
        agent,
        provider.as_str(),
        model.as_str(),
        kept(usage.fresh),
        kept(usage.cache_read),
        kept(usage.cache_write),
        kept(usage.output),
        kept(usage.reasoning),
        usage.unmetered_calls,
        kept(usage.cost.nano_usd),
        usage.cost.unpriced_calls,
        MOST,
    ])?;
    Ok(())
}

/// What an owner consumed in these days.
pub(super) fn consumed(
    connection: &Connection,
    scope: &Scope,
    from: Day,
    to: Day,
) -> Result<Vec<Consumption>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT day, agent, provider, model, calls, fresh, cache_read, cache_write, output, reasoning, \
         unmetered_calls, nano_usd, unpriced_calls FROM usage \
         WHERE tenant = ? AND user = ? AND day BETWEEN ? AND ? ORDER BY day, agent, provider, model",
    )?;
    let read = |row: &Row<'_>| {
        Ok(Consumption {
            day: Day::from_number(row.get(0)?),
            agent: row.get_ref(1)?.as_str()?.into(),
            provider: row.get_ref(2)?.as_str()?.into(),
            model: row.get_ref(3)?.as_str()?.into(),
            calls: sum(row, 4)?,
            usage: usage(row, 5)?,
        })
    };
    let rows = select.query_map((&scope.tenant.0, &scope.user.0, from.number(), to.number()), read)?;
    rows.map(|row| row.map_err(Failure::from)).collect()
}

fn kept(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(MOST).min(MOST)
}
