//! Finds the place of a time in the list of a user's turns, without an index of times: turns are stored in the order in
//! which they were accepted, so their times ascend with their keys unless the clock was set back.

use rusqlite::{Connection, OptionalExtension as _};
use turnkit_core::{Scope, Timestamp};

use super::failure::Failure;

/// Returns the key of the user's first turn that was accepted at `time` or later, or `before` if none of those before
/// that key was.
pub(super) fn key_of_first_since(
    connection: &Connection,
    scope: &Scope,
    before: i64,
    time: Timestamp,
) -> Result<i64, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT t.key, t.accepted_at FROM turns t INDEXED BY turn_owner \
         WHERE t.tenant = ? AND t.user = ? AND t.key < ? ORDER BY t.key DESC LIMIT 1",
    )?;
    // Returns the key of the last turn before `key` if it was accepted at `time` or later. A damaged time counts as
    // earlier.
    let mut last_since = |key: i64| -> Result<Option<i64>, Failure> {
        let owner = (&scope.tenant.0, &scope.user.0, key);
        let last = select.query_row(owner, |row| Ok((row.get(0)?, row.get(1).unwrap_or(i64::MIN)))).optional()?;
        Ok(last.filter(|(_, accepted_at)| *accepted_at >= time.millis()).map(|(key, _)| key))
    };
    let Some(mut first) = last_since(before)? else { return Ok(before) };
    // The wanted key is from `lowest` to `first`.
    let mut lowest = 0;
    while lowest < first {
        let middle = lowest + (first - lowest) / 2;
        match last_since(middle + 1)? {
            Some(key) => first = key,
            None => lowest = middle + 1,
        }
    }
    Ok(first)
}
