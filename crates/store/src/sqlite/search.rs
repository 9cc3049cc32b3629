//! Searches sessions and their turns by words.

use rusqlite::{Connection, OptionalExtension as _, Row};
use turnkit_core::ports::{SessionMatch, SessionMatches, SessionSearch, TurnMatch, TurnSearch};
use turnkit_core::{Scope, SearchQuery, SessionId, searched_texts, searched_words};

use super::failure::Failure;
use super::messages;
use super::rows::{StoredSession, turn_id};
use super::search_index::owner_words;
use super::session_list::{ListPlace, MAX_UNREADABLE, Summary, summary_at};
use super::shelf;

/// Returns the turns of a session that contain the words, the highest number first.
pub(super) fn search_turns(
    connection: &Connection,
    scope: &Scope,
    session: SessionId,
    search: &TurnSearch,
) -> Result<Vec<TurnMatch>, Failure> {
    let TurnSearch { query, limit, before } = search;
    let session = StoredSession::of_user(connection, scope, session)?;
    // Later turns of a session have higher keys, in whose order the index returns them. `CROSS JOIN` reads the index of
    // words first: for each turn of the session, it would search all words again.
    let mut select = connection.prepare_cached(
        "SELECT t.key FROM words CROSS JOIN turns t ON t.key = words.rowid \
         WHERE words MATCH ? AND t.session = ? AND t.number < ? ORDER BY words.rowid DESC",
    )?;
    let mut rows = select.query((expression(scope, query), session.key, before.unwrap_or(u32::MAX)))?;
    let mut matches = Vec::new();
    while matches.len() < *limit as usize
        && let Some(row) = rows.next()?
    {
        matches.extend(turn_match(connection, row.get(0)?, query)?);
    }
    Ok(matches)
}

/// Returns a page of the sessions that contain the words, in the order of lists.
pub(super) fn search(
    connection: &Connection,
    scope: &Scope,
    search: &SessionSearch,
) -> Result<SessionMatches, Failure> {
    let SessionSearch { query, limit, after, archived } = search;
    let ListPlace { shelf, last_active, key } = ListPlace::of(connection, scope, *after, *archived)?;
    // Later turns of a session have higher keys. Titles are not in the index, so they are checked row by row.
    let mut select = connection.prepare_cached(
        "WITH found (session, turn) AS MATERIALIZED ( \
         SELECT t.session, max(t.key) FROM words JOIN turns t ON t.key = words.rowid WHERE words MATCH ? GROUP BY 1) \
         SELECT key, id, found.turn, title FROM sessions LEFT JOIN found ON found.session = sessions.key \
         WHERE tenant = ? AND user = ? AND ephemeral = 0 AND shelf >= ? \
         AND (shelf, last_active_at, key) < (?, ?, ?) ORDER BY shelf DESC, last_active_at DESC, key DESC",
    )?;
    let owner = (&scope.tenant.0, &scope.user.0);
    let lowest = shelf::lowest(*archived);
    let mut rows = select.query((expression(scope, query), owner.0, owner.1, lowest, shelf, last_active, key))?;
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
