//! Searches sessions by words.

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, Row};
use turnkit_core::ports::{SessionMatch, SessionMatches, SessionSearch, TurnMatch};
use turnkit_core::{Scope, SearchQuery, searched_texts, searched_words};

use super::failure::Failure;
use super::messages;
use super::rows::{StoredSession, turn_id};
use super::search_index::owner_words;
use super::session_list::{MAX_UNREADABLE, Summary, place_in_list, summary_at};

/// Returns a page of the sessions that contain the words, most recently used first. Returns `None` if the index is
/// damaged.
pub(super) fn search(
    connection: &Connection,
    scope: &Scope,
    search: &SessionSearch,
) -> Result<Option<SessionMatches>, Failure> {
    match matches(connection, scope, search) {
        Err(failure) if failure.is_damaged_index() => Ok(None),
        found => found.map(Some),
    }
}

fn matches(connection: &Connection, scope: &Scope, search: &SessionSearch) -> Result<SessionMatches, Failure> {
    let SessionSearch { query, limit, after } = search;
    let (last_active, key) = match after {
        Some(after) => place_in_list(connection, scope, *after)?,
        // SQLite sorts blobs after all other values, and so after a damaged time.
        None => (Value::Blob(Vec::new()), i64::MAX),
    };
    // Later turns of a session have higher keys. Titles are not in the index, so they are checked row by row.
    let mut select = connection.prepare_cached(
        "WITH found (session, turn) AS MATERIALIZED ( \
         SELECT t.session, max(t.key) FROM words JOIN turns t ON t.key = words.rowid WHERE words MATCH ? GROUP BY 1) \
         SELECT key, id, found.turn, title FROM sessions LEFT JOIN found ON found.session = sessions.key \
         WHERE tenant = ? AND user = ? AND ephemeral = 0 AND (last_active_at, key) < (?, ?) \
         ORDER BY last_active_at DESC, key DESC",
    )?;
    let mut rows = select.query((expression(scope, query), &scope.tenant.0, &scope.user.0, last_active, key))?;
    let mut matches = SessionMatches::default();
    while matches.found.len() < *limit as usize
        && matches.unreadable.len() < MAX_UNREADABLE as usize
        && let Some(row) = rows.next()?
    {
        match session_match(connection, row, query) {
            Ok(found) => matches.found.extend(found),
            Err(failure) if failure.is_damage() => matches.unreadable.push(StoredSession::name_of(row)),
            Err(failure) => return Err(failure),
        }
    }
    Ok(matches)
}

/// Translates the query into the language of the index. The query's words contain only letters and digits.
fn expression(scope: &Scope, query: &SearchQuery) -> String {
    let phrases: Vec<String> = query.phrases().iter().map(|words| format!("\"{}\" *", words.join(" "))).collect();
    format!("owner : \"{}\" AND text : ({})", owner_words(scope), phrases.join(" AND "))
}

/// Returns the session of a row, if one of its turns or its title matches.
fn session_match(connection: &Connection, row: &Row<'_>, query: &SearchQuery) -> Result<Option<SessionMatch>, Failure> {
    let turn: Option<i64> = row.get(2)?;
    let title: Box<str> = row.get(3)?;
    if turn.is_none() && !query.matches(&searched_words([&*title])) {
        return Ok(None);
    }
    let Summary { session, .. } = summary_at(connection, row.get(0)?)?;
    let turn = turn.map(|turn| turn_match(connection, turn, query)).transpose()?.flatten();
    Ok(Some(SessionMatch { session, turn }))
}

/// Returns the match to show for a turn, or `None` if the turn is damaged.
fn turn_match(connection: &Connection, turn: i64, query: &SearchQuery) -> Result<Option<TurnMatch>, Failure> {
    match read_match(connection, turn, query) {
        Err(failure) if failure.is_damage() => Ok(None),
        found => found,
    }
}

fn read_match(connection: &Connection, turn: i64, query: &SearchQuery) -> Result<Option<TurnMatch>, Failure> {
    let mut select = connection.prepare_cached("SELECT id, number, messages FROM turns WHERE key = ?")?;
    let found = select.query_row([turn], |row| Ok((turn_id(row, 0)?, row.get(1)?, row.get(2)?))).optional()?;
    let Some((id, number, count)) = found else { return Ok(None) };
    let excerpt = messages::find_in_turn(connection, turn, count, |message| {
        searched_texts(&message).find_map(|text| query.excerpt(text))
    })?;
    Ok(Some(TurnMatch { id, number, excerpt: excerpt.unwrap_or_default() }))
}
