//! Reading what was said: a whole branch of a session, one turn, or a page.

use rusqlite::{Connection, OptionalExtension as _};
use turnkit_core::Message;
use turnkit_core::ports::{MessagePage, StoredMessage};

use super::failure::Failure;
use super::rows::{StoredSession, from_json, turn_id};

/// What was said in a session up to the turn with number `last`, along the branch that leads to it.
pub(super) fn branch(connection: &Connection, session: i64, last: Option<u32>) -> Result<Vec<Message>, Failure> {
    // A turn continues an earlier one: what says otherwise would lead round in a circle.
    let mut select = connection.prepare_cached(
        "WITH RECURSIVE branch (key, after, number) AS ( \
         SELECT key, after, number FROM turns WHERE session = ?1 AND number = ?2 \
         UNION ALL SELECT t.key, t.after, t.number FROM branch b \
         JOIN turns t ON t.session = ?1 AND t.number = b.after WHERE b.after < b.number) \
         SELECT key, after FROM branch",
    )?;
    let (mut turns, mut continues) = (Vec::new(), last);
    let mut rows = select.query((session, last))?;
    while let Some(row) = rows.next()? {
        turns.push(row.get(0)?);
        continues = row.get(1)?;
    }
    if let Some(number) = continues {
        return Err(Failure::Unreadable(format!("turn {number}, which others continue, is not there")));
    }
    let mut messages = Vec::with_capacity(2 * turns.len());
    for turn in turns.into_iter().rev() {
        of_turn(connection, turn, |message| messages.push(message))?;
    }
    Ok(messages)
}

/// The messages of one turn, in order.
pub(super) fn of_turn(connection: &Connection, turn: i64, mut take: impl FnMut(Message)) -> Result<(), Failure> {
    let mut select = connection.prepare_cached("SELECT body FROM messages WHERE turn = ? ORDER BY ord")?;
    let mut rows = select.query([turn])?;
    while let Some(row) = rows.next()? {
        take(from_json(row.get_ref(0)?)?);
    }
    Ok(())
}

/// A page of what was said in a session, newest first, turn by turn down the branch.
pub(super) fn page(
    connection: &Connection,
    session: &StoredSession,
    page: MessagePage,
) -> Result<Vec<StoredMessage>, Failure> {
    let limit = page.limit as usize;
    let mut messages = Vec::new();
    let mut turn = page.before.map_or(session.head, |(number, _)| Some(number));
    let mut place = page.before.map_or(i64::MAX, |(_, place)| i64::from(place));
    while let Some(number) = turn.filter(|_| messages.len() < limit) {
        turn = page_of_turn(connection, session.key, number, place, limit, &mut messages)?;
        if turn.is_some_and(|before| before >= number) {
            return Err(Failure::Unreadable(format!("turn {number} continues a later one")));
        }
        place = i64::MAX;
    }
    Ok(messages)
}

/// Adds the messages before `place` of the turn with this number, newest first, until there are `limit`. Gives the
/// number of the turn it continues.
fn page_of_turn(
    connection: &Connection,
    session: i64,
    number: u32,
    place: i64,
    limit: usize,
    messages: &mut Vec<StoredMessage>,
) -> Result<Option<u32>, Failure> {
    let mut select = connection.prepare_cached("SELECT key, id, after FROM turns WHERE session = ? AND number = ?")?;
    let found = select.query_row((session, number), |row| Ok((row.get::<_, i64>(0)?, turn_id(row, 1)?, row.get(2)?)));
    let Some((key, turn, after)) = found.optional()? else { return Ok(None) };
    let mut select = connection
        .prepare_cached("SELECT ord, body FROM messages WHERE turn = ? AND ord < ? ORDER BY ord DESC LIMIT ?")?;
    let wanted = limit.saturating_sub(messages.len()) as i64;
    let mut rows = select.query((key, place, wanted))?;
    while let Some(row) = rows.next()? {
        let message = from_json(row.get_ref(1)?)?;
        messages.push(StoredMessage { turn, turn_number: number, place: row.get(0)?, message });
    }
    Ok(after)
}
