//! Reads messages: a whole branch of a session, one turn, or a page.

use std::ops::Range;

use rusqlite::{Connection, OptionalExtension as _, Row};
use turnkit_core::ports::{MessagePage, StoredMessage};
use turnkit_core::{History, Message, Scope, TraceId, TurnId};

use super::cut::Cut;
use super::failure::Failure;
use super::rows::{StoredSession, from_json, trace, turn_id};

/// Returns the messages of a session along the branch that ends with turn number `last`.
pub(super) fn branch(connection: &Connection, session: i64, last: Option<u32>) -> Result<Vec<Message>, Failure> {
    let mut messages = Vec::new();
    for turn in turns_from(connection, session, last, None)? {
        let visible = |message: Message| messages.extend(Some(message).filter(|message| !message.is_hidden()));
        of_turn(connection, turn.key, turn.messages, visible)?;
    }
    Ok(messages)
}

/// Returns the messages of the branch that ends with turn `last` as they are sent to the model. Messages that its
/// newest summary replaces are not read.
pub(super) fn history(connection: &Connection, session: i64, last: Option<u32>) -> Result<History, Failure> {
    let (cut, anchor) = last.map(|last| Cut::after(connection, session, last)).transpose()?.unwrap_or_default();
    let Cut { covers, keeps } = cut.unwrap_or(Cut { covers: 0, keeps: None });
    let turns = turns_from(connection, session, last, cut.map(Cut::first))?;
    let end = turns.last().map_or(0, |turn| turn.first_message.saturating_add(turn.messages));
    if covers > end {
        let number = last.unwrap_or_default();
        return Err(Failure::Unreadable(format!("the summary of turn {number} covers messages that there are not")));
    }
    let mut messages = Vec::new();
    for turn in turns {
        let first = turn.first_message;
        let kept = keeps.filter(|kept| *kept < covers).and_then(|kept| kept.checked_sub(first));
        if let Some(kept) = kept.filter(|kept| *kept < turn.messages) {
            let take = |message| messages.push((first.saturating_add(kept), message));
            read(connection, turn.key, kept..kept + 1, take)?;
        }
        let mut place = covers.max(first);
        let take = |message| {
            messages.push((place, message));
            place = place.saturating_add(1);
        };
        read(connection, turn.key, covers.saturating_sub(first)..turn.messages, take)?;
    }
    let mut history = History::of_places(messages);
    history.restore_anchor(anchor);
    Ok(history)
}

/// Returns the turns of the branch that ends with turn `last`, oldest first: all of them, or those from the turn that
/// contains the message at `place`.
fn turns_from(
    connection: &Connection,
    session: i64,
    last: Option<u32>,
    place: Option<u32>,
) -> Result<Vec<BranchTurn>, Failure> {
    let place = place.map_or(-1, i64::from);
    // A turn continues an earlier one. A row with a later one is damaged and would cause a cycle.
    let mut select = connection.prepare_cached(
        "WITH RECURSIVE branch (key, first_message, messages, after, number) AS ( \
         SELECT key, first_message, messages, after, number FROM turns WHERE session = ?1 AND number = ?2 \
         UNION ALL SELECT t.key, t.first_message, t.messages, t.after, t.number FROM branch b \
         JOIN turns t ON t.session = ?1 AND t.number = b.after WHERE b.after < b.number AND b.first_message > ?3) \
         SELECT key, first_message, messages, after FROM branch",
    )?;
    let (mut turns, mut continues) = (Vec::new(), last);
    let mut rows = select.query((session, last, place))?;
    while let Some(row) = rows.next()? {
        let turn = BranchTurn { key: row.get(0)?, first_message: row.get(1)?, messages: row.get(2)? };
        continues = row.get::<_, Option<u32>>(3)?.filter(|_| i64::from(turn.first_message) > place);
        turns.push(turn);
    }
    if let Some(number) = continues {
        return Err(no_turn(number));
    }
    turns.reverse();
    Ok(turns)
}

/// A turn of a branch.
struct BranchTurn {
    key: i64,
    /// The place of its first message in the branch.
    first_message: u32,
    /// The number of its messages.
    messages: u32,
}

/// Returns the messages of one turn of a user, in order.
pub(super) fn of_user(connection: &Connection, scope: &Scope, turn: TurnId) -> Result<Vec<Message>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT t.key, t.messages FROM turns t JOIN sessions s ON s.key = t.session \
         WHERE t.id = ? AND s.tenant = ? AND s.user = ?",
    )?;
    let found =
        select.query_row((turn.0.as_bytes(), &scope.tenant.0, &scope.user.0), |row| Ok((row.get(0)?, row.get(1)?)));
    let (key, count) = found.optional()?.ok_or_else(Failure::not_found)?;
    let mut messages = Vec::new();
    of_turn(connection, key, count, |message| messages.push(message))?;
    Ok(messages)
}

/// Returns the messages of one turn, in order. There must be `count`.
pub(super) fn of_turn(
    connection: &Connection,
    turn: i64,
    count: u32,
    take: impl FnMut(Message),
) -> Result<(), Failure> {
    read(connection, turn, 0..count, take)
}

/// Returns the first value that `find` returns for a message of the turn, which must have `count` messages. Later
/// messages are not read.
pub(super) fn find_in_turn<T>(
    connection: &Connection,
    turn: i64,
    count: u32,
    find: impl FnMut(Message) -> Option<T>,
) -> Result<Option<T>, Failure> {
    find_at(connection, turn, 0..count, find)
}

/// Reads the messages of one turn at `places`. Fails if one is missing.
fn read(connection: &Connection, turn: i64, places: Range<u32>, mut take: impl FnMut(Message)) -> Result<(), Failure> {
    let found = find_at(connection, turn, places, |message| {
        take(message);
        None::<()>
    });
    found.map(drop)
}

fn find_at<T>(
    connection: &Connection,
    turn: i64,
    places: Range<u32>,
    mut find: impl FnMut(Message) -> Option<T>,
) -> Result<Option<T>, Failure> {
    let mut select =
        connection.prepare_cached("SELECT ord, body FROM messages WHERE turn = ? AND ord >= ? ORDER BY ord")?;
    let mut rows = select.query((turn, places.start))?;
    for place in places {
        let row = rows.next()?.filter(|row| is_at(row, place)).ok_or_else(|| no_message(place))?;
        if let Some(found) = find(from_json(row.get_ref(1)?)?) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Returns a page of a session's messages, newest first, turn by turn back along the branch.
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
        turn.page(connection, place, page, &mut messages)?;
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
    /// The number of its messages.
    messages: u32,
    /// The number of the turn that it continues.
    after: Option<u32>,
    trace: TraceId,
}

impl Turn {
    fn numbered(connection: &Connection, session: i64, number: u32) -> Result<Option<Self>, Failure> {
        let mut select = connection.prepare_cached(
            "SELECT key, id, messages, nullif(after, 0), trace FROM turns WHERE session = ? AND number = ?",
        )?;
        let mut rows = select.query((session, number))?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let (key, id, messages, after) = (row.get(0)?, turn_id(row, 1)?, row.get(2)?, row.get(3)?);
        Ok(Some(Self { key, id, number, messages, after, trace: trace(row, 4, id)? }))
    }

    /// Adds its messages before `place`, newest first, until the page is full.
    fn page(
        &self,
        connection: &Connection,
        place: u32,
        page: MessagePage,
        messages: &mut Vec<StoredMessage>,
    ) -> Result<(), Failure> {
        let mut select =
            connection.prepare_cached("SELECT ord, body FROM messages WHERE turn = ? AND ord < ? ORDER BY ord DESC")?;
        let mut rows = select.query((self.key, place))?;
        for place in (0..self.messages.min(place)).rev() {
            if messages.len() >= page.limit as usize {
                break;
            }
            let row = rows.next()?.filter(|row| is_at(row, place)).ok_or_else(|| no_message(place))?;
            let message: Message = from_json(row.get_ref(1)?)?;
            if page.context || !message.is_hidden() {
                let (turn, turn_number, trace) = (self.id, self.number, self.trace);
                messages.push(StoredMessage { turn, turn_number, place, message, trace });
            }
        }
        Ok(())
    }
}

/// Reports whether a row of `messages` is at this place in its turn.
fn is_at(row: &Row<'_>, place: u32) -> bool {
    row.get(0) == Ok(place)
}

fn no_message(place: u32) -> Failure {
    Failure::Unreadable(format!("message {place} of a turn is missing"))
}

fn no_turn(number: u32) -> Failure {
    Failure::Unreadable(format!("turn {number} of a session has no row of that number"))
}
