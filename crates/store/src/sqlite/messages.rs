//! Reading what was said: a whole branch of a session, one turn, or a page.

use rusqlite::{Connection, OptionalExtension as _, Row};
use turnkit_core::ports::{MessagePage, StoredMessage};
use turnkit_core::{Message, TurnId};

use super::failure::Failure;
use super::rows::{StoredSession, from_json, turn_id};

/// What was said in a session up to the turn with number `last`, along the branch that leads to it.
pub(super) fn branch(connection: &Connection, session: i64, last: Option<u32>) -> Result<Vec<Message>, Failure> {
    // A turn continues an earlier one: what says otherwise would lead round in a circle.
    let mut select = connection.prepare_cached(
        "WITH RECURSIVE branch (key, messages, after, number) AS ( \
         SELECT key, messages, after, number FROM turns WHERE session = ?1 AND number = ?2 \
         UNION ALL SELECT t.key, t.messages, t.after, t.number FROM branch b \
         JOIN turns t ON t.session = ?1 AND t.number = b.after WHERE b.after < b.number) \
         SELECT key, messages, after FROM branch",
    )?;
    let (mut turns, mut continues) = (Vec::new(), last);
    let mut rows = select.query((session, last))?;
    while let Some(row) = rows.next()? {
        turns.push((row.get(0)?, row.get(1)?));
        continues = row.get(2)?;
    }
    if let Some(number) = continues {
        return Err(no_turn(number));
    }
    let mut messages = Vec::with_capacity(2 * turns.len());
    for (turn, count) in turns.into_iter().rev() {
        of_turn(connection, turn, count, |message| messages.push(message))?;
    }
    Ok(messages)
}

/// The messages of one turn, in order, of which there must be `count`.
pub(super) fn of_turn(
    connection: &Connection,
    turn: i64,
    count: u32,
    mut take: impl FnMut(Message),
) -> Result<(), Failure> {
    let mut select = connection.prepare_cached("SELECT ord, body FROM messages WHERE turn = ? ORDER BY ord")?;
    let mut rows = select.query([turn])?;
    for place in 0..count {
        let row = rows.next()?.filter(|row| is_at(row, place)).ok_or_else(|| no_message(place))?;
        take(from_json(row.get_ref(1)?)?);
    }
    Ok(())
}

/// A page of what was said in a session, newest first, turn by turn down the branch.
pub(super) fn page(
    connection: &Connection,
    session: &StoredSession,
    page: MessagePage,
) -> Result<Vec<StoredMessage>, Failure> {
    let mut messages = Vec::new();
    let (mut next, mut place) = page.before.map_or((session.head, u32::MAX), |(number, place)| (Some(number), place));
    while let Some(number) = next.filter(|_| messages.len() < page.limit as usize) {
        let Some(turn) = Turn::numbered(connection, session.key, number)? else {
            let asked_for = page.before.is_some_and(|(asked, _)| asked == number);
            return if asked_for { Ok(messages) } else { Err(no_turn(number)) };
        };
        turn.page(connection, place, page.limit as usize, &mut messages)?;
        if turn.after.is_some_and(|after| after >= number) {
            return Err(no_turn(number));
        }
        (next, place) = (turn.after, u32::MAX);
    }
    Ok(messages)
}

/// A turn of a branch.
struct Turn {
    key: i64,
    id: TurnId,
    number: u32,
    /// How many messages it has.
    messages: u32,
    /// The number of the turn it continues.
    after: Option<u32>,
}

impl Turn {
    fn numbered(connection: &Connection, session: i64, number: u32) -> Result<Option<Self>, Failure> {
        let mut select =
            connection.prepare_cached("SELECT key, id, messages, after FROM turns WHERE session = ? AND number = ?")?;
        let found = select.query_row((session, number), |row| {
            let (key, id, messages, after) = (row.get(0)?, turn_id(row, 1)?, row.get(2)?, row.get(3)?);
            Ok(Self { key, id, number, messages, after })
        });
        Ok(found.optional()?)
    }

    /// Adds its messages before `place`, newest first, until there are `limit`.
    fn page(
        &self,
        connection: &Connection,
        place: u32,
        limit: usize,
        messages: &mut Vec<StoredMessage>,
    ) -> Result<(), Failure> {
        let mut select = connection
            .prepare_cached("SELECT ord, body FROM messages WHERE turn = ? AND ord < ? ORDER BY ord DESC LIMIT ?")?;
        let wanted = limit.saturating_sub(messages.len());
        let mut rows = select.query((self.key, place, wanted as i64))?;
        for place in (0..self.messages.min(place)).rev().take(wanted) {
            let row = rows.next()?.filter(|row| is_at(row, place)).ok_or_else(|| no_message(place))?;
            let message = from_json(row.get_ref(1)?)?;
            messages.push(StoredMessage { turn: self.id, turn_number: self.number, place, message });
        }
        Ok(())
    }
}

/// Whether a row of `messages` is the one of this place in its turn.
fn is_at(row: &Row<'_>, place: u32) -> bool {
    row.get(0) == Ok(place)
}

fn no_message(place: u32) -> Failure {
    Failure::Unreadable(format!("message {place} of a turn is not there"))
}

fn no_turn(number: u32) -> Failure {
    Failure::Unreadable(format!("turn {number} of a session is not where it should be"))
}
