//! The column `shelf` of a session: whether it is pinned and whether it is archived, as one number that orders lists.
//! It is 0 for most sessions, which takes no byte of a row or an index.

use rusqlite::Row;

/// Set if the session is pinned.
pub(super) const PINNED: i64 = 1;
/// All other bits, set if the session is archived: the number is negative then.
pub(super) const ARCHIVED: i64 = !PINNED;
/// The highest value of an archived session.
pub(super) const HIGHEST_ARCHIVED: i64 = ARCHIVED | PINNED;

/// Reads whether a session is pinned and whether it is archived. A damaged value counts as neither.
pub(super) fn read(row: &Row<'_>, column: usize) -> (bool, bool) {
    let shelf: i64 = row.get(column).unwrap_or(0);
    (shelf & PINNED != 0, shelf < 0)
}

/// Returns the lowest value in a list of archived sessions, of others, or of both.
pub(super) fn lowest(archived: Option<bool>) -> i64 {
    match archived {
        Some(false) => 0,
        Some(true) | None => i64::MIN,
    }
}

/// Returns the value that a session with `shelf` would have in a list of archived sessions, or of others.
pub(super) fn among(shelf: i64, archived: Option<bool>) -> i64 {
    match archived {
        Some(true) => shelf | ARCHIVED,
        Some(false) => shelf & PINNED,
        None => shelf,
    }
}
