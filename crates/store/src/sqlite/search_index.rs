//! The search index: the words of turns that have ended.
//!
//! Turns do not write to it. They are added later in slices; a row of `meta` records the progress. A damaged index is
//! replaced with an empty one, and the turns are added again. A wrong version in `words_config` is not repaired: SQLite
//! then refuses to open the index, even to drop it, so searches and removals fail. Turns are not affected.

use rusqlite::{Connection, OptionalExtension as _};
use turnkit_core::{Message, Scope, searched_texts, searched_words};

use super::failure::Failure;
use super::messages;

/// The maximum number of turns that one transaction adds, and the number of message bytes after which it ends earlier.
pub(super) const SLICE: u32 = 128;
const SLICE_BYTES: i64 = 1024 * 1024;
/// The name in `meta` of the highest key of the turns that were added or noted as unfinished.
const MARK: &str = "searched";

/// Reports whether there are turns to be added.
pub(super) fn is_behind(connection: &Connection) -> Result<bool, Failure> {
    Ok(is_behind_by(connection, 1)? || !noted(connection, 1)?.is_empty())
}

/// Reports whether at least `turns` turns are still to be added or noted.
pub(super) fn is_behind_by(connection: &Connection, turns: u32) -> Result<bool, Failure> {
    Ok(next(connection, turns)?.len() == turns as usize)
}

/// Adds a slice of turns. Turns that have not ended are noted, and added after their end.
pub(super) fn add_turns(connection: &Connection) -> Result<(), Failure> {
    repairing(connection, || add_slice(connection))
}

/// Runs `work`, which writes to the index. If the index is damaged, rolls back `work` and empties the index.
pub(super) fn repairing(connection: &Connection, work: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    let execute = |sql| connection.prepare_cached(sql)?.execute([]).map(drop);
    execute("SAVEPOINT search_index")?;
    match work().and_then(|()| flush(connection)) {
        Err(failure) if failure.is_damaged_index() => {
            execute("ROLLBACK TO search_index")?;
            empty(connection)?;
        }
        done => done?,
    }
    Ok(execute("RELEASE search_index")?)
}

/// Flushes the changes of the index. SQLite would otherwise do so at commit, where damage fails every job of the
/// transaction.
fn flush(connection: &Connection) -> Result<(), Failure> {
    connection.prepare_cached("INSERT INTO words (words) VALUES (?)")?.execute(["flush"])?;
    Ok(())
}

/// Replaces the index with an empty one.
pub(super) fn empty(connection: &Connection) -> Result<(), Failure> {
    let create: String =
        connection.query_row("SELECT sql FROM sqlite_schema WHERE name = 'words'", [], |row| row.get(0))?;
    connection.execute_batch("DROP TABLE words; DELETE FROM unsearched;")?;
    connection.execute_batch(&create)?;
    connection.execute("DELETE FROM meta WHERE name = ?", [MARK])?;
    Ok(())
}

fn add_slice(connection: &Connection) -> Result<(), Failure> {
    let mut bytes = 0;
    for turn in noted(connection, SLICE)? {
        bytes += add_turn(connection, turn)?;
        connection.prepare_cached("DELETE FROM unsearched WHERE turn = ?")?.execute([turn])?;
        if bytes > SLICE_BYTES {
            return Ok(());
        }
    }
    for (turn, is_over) in next(connection, SLICE)? {
        if is_over {
            bytes += add_turn(connection, turn)?;
        } else {
            connection.prepare_cached("INSERT OR IGNORE INTO unsearched VALUES (?)")?.execute([turn])?;
        }
        mark(connection, turn)?;
        if bytes > SLICE_BYTES {
            break;
        }
    }
    Ok(())
}

fn mark(connection: &Connection, turn: i64) -> Result<(), Failure> {
    let mut insert = connection
        .prepare_cached("INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value")?;
    insert.execute((MARK, turn))?;
    Ok(())
}

/// Returns noted turns that have ended since.
fn noted(connection: &Connection, most: u32) -> Result<Vec<i64>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT u.turn FROM unsearched u CROSS JOIN turns t ON t.key = u.turn WHERE t.ended_at IS NOT NULL LIMIT ?",
    )?;
    let turns = select.query_map([most], |row| row.get(0))?.collect::<Result<_, _>>()?;
    Ok(turns)
}

/// Returns the turns after the mark, each with whether it has ended.
fn next(connection: &Connection, most: u32) -> Result<Vec<(i64, bool)>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT key, ended_at IS NOT NULL FROM turns \
         WHERE key > coalesce((SELECT value FROM meta WHERE name = ?), 0) ORDER BY key LIMIT ?",
    )?;
    let turns = select.query_map((MARK, most), |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
    Ok(turns)
}

/// Adds a turn, and returns the number of bytes of its messages. Skips a damaged turn.
fn add_turn(connection: &Connection, turn: i64) -> Result<i64, Failure> {
    match add_sound_turn(connection, turn) {
        Err(failure) if failure.is_damage() => Ok(0),
        added => added,
    }
}

fn add_sound_turn(connection: &Connection, turn: i64) -> Result<i64, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT t.messages, lower(hex(s.tenant) || ' ' || hex(s.user)), \
         (SELECT coalesce(sum(octet_length(body)), 0) FROM messages WHERE turn = t.key) \
         FROM turns t JOIN sessions s ON s.key = t.session WHERE t.key = ? AND s.removed = 0 AND s.ephemeral = 0",
    )?;
    let found = select.query_row([turn], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?;
    let Some::<(u32, String, i64)>((count, owner, bytes)) = found else { return Ok(0) };
    let mut messages: Vec<Message> = Vec::new();
    messages::of_turn(connection, turn, count, |message| messages.push(message))?;
    let words = searched_words(messages.iter().flat_map(searched_texts)).join(" ");
    let mut insert = connection.prepare_cached("INSERT OR REPLACE INTO words (rowid, owner, text) VALUES (?, ?, ?)")?;
    insert.execute((turn, owner, &words))?;
    Ok(bytes)
}

/// Returns the two words of a user, which each of its rows contains.
pub(super) fn owner_words(scope: &Scope) -> String {
    let hexadecimal = |name: &str| name.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
    format!("{} {}", hexadecimal(&scope.tenant.0), hexadecimal(&scope.user.0))
}

/// Notes the turns of an ephemeral session that becomes a regular one.
pub(super) fn note_ephemeral(connection: &Connection, session: i64) -> Result<(), Failure> {
    let mut note = connection.prepare_cached(
        "INSERT OR IGNORE INTO unsearched SELECT t.key FROM turns t \
         WHERE t.session = (SELECT key FROM sessions WHERE key = ? AND ephemeral = 1)",
    )?;
    note.execute([session])?;
    Ok(())
}

/// Lowers the mark to the highest key in use, because SQLite reuses the keys of removed turns.
pub(super) fn lower_mark(connection: &Connection) -> Result<(), Failure> {
    let mut update = connection.prepare_cached(
        "UPDATE meta SET value = min(value, (SELECT coalesce(max(key), 0) FROM turns)) WHERE name = ?",
    )?;
    update.execute([MARK])?;
    Ok(())
}
