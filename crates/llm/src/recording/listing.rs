//! The contents of a folder of recordings, for people who look at them.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use turnkit_core::ports::{
    ExchangeEnd, ExchangeList, ExchangePage, RecordedExchange, RecordedText, RecordedTurn, RecordedTurnPage,
};
use turnkit_core::{AnsweringModel, Timestamp, TurnId};

use super::exchange::{Exchange, ExchangeOutcome, Failure};
use super::library::{METADATA, REQUEST, RecordingsError, cases, exchange, name_of, turn_of};

/// Returns a page of the turns of which exchanges are recorded in `folder`, the newest first.
///
/// # Errors
/// Names the folder that cannot be read.
pub fn recorded_turns(folder: &Path, page: RecordedTurnPage) -> Result<Vec<RecordedTurn>, RecordingsError> {
    let mut turns: BTreeMap<TurnId, Vec<PathBuf>> = BTreeMap::new();
    for case in cases(folder)? {
        if let Some(turn) = turn_of(name_of(&case)).filter(|turn| page.accepts(*turn)) {
            turns.entry(turn).or_default().push(case);
        }
    }
    let newest = turns.into_iter().rev().take(page.limit);
    let described = newest.map(|(turn, mut cases)| {
        cases.sort_by_key(|case| place(case));
        recorded_turn(turn, &cases)
    });
    Ok(described.collect())
}

/// Returns a page of the exchanges of `turn` that are recorded in `folder`, in the order in which they were made.
///
/// # Errors
/// Names the folder that cannot be read. An exchange that cannot be read is listed as such.
pub fn recorded_exchanges(folder: &Path, turn: TurnId, page: ExchangePage) -> Result<ExchangeList, RecordingsError> {
    let mut cases = cases(folder)?;
    cases.retain(|case| turn_of(name_of(case)) == Some(turn));
    cases.sort_by_key(|case| place(case));
    let mut list = ExchangeList { total: cases.len(), ..ExchangeList::default() };
    for (index, case) in cases.iter().enumerate().skip(page.skip).take(page.limit) {
        match recorded_exchange(index + 1, case, page.body_bytes) {
            Ok(exchange) => list.exchanges.push(exchange),
            Err(error) => {
                tracing::warn!(%error, "could not read a recorded exchange");
                list.unreadable.push(name_of(case).to_owned());
            }
        }
    }
    Ok(list)
}

fn recorded_turn(turn: TurnId, cases: &[PathBuf]) -> RecordedTurn {
    let mut models: Vec<AnsweringModel> = Vec::new();
    // The list of exchanges reports those that cannot be read.
    for asked in cases.iter().filter_map(|case| exchange(case).ok()).map(|exchange| asked(&exchange)) {
        if !models.contains(&asked) {
            models.push(asked);
        }
    }
    let began_at = cases.first().and_then(|case| modified(&case.join(REQUEST)));
    RecordedTurn { turn, exchanges: cases.len(), models, began_at }
}

fn recorded_exchange(number: usize, folder: &Path, body_bytes: u64) -> Result<RecordedExchange, RecordingsError> {
    let exchange = exchange(folder)?;
    let response = exchange.body.as_ref().map(|name| text(&folder.join(name), body_bytes)).transpose()?;
    let model = asked(&exchange);
    let Exchange { step, attempt, api, url, status, headers, ended, masked, .. } = exchange;
    Ok(RecordedExchange {
        number,
        step,
        attempt,
        model,
        api: api.name(),
        url,
        began_at: modified(&folder.join(REQUEST)),
        ended_at: modified(&folder.join(METADATA)),
        status,
        headers,
        ended: match ended {
            ExchangeOutcome::Complete => ExchangeEnd::Complete,
            ExchangeOutcome::Aborted => ExchangeEnd::Aborted,
            ExchangeOutcome::Failed(Failure { kind, message, .. }) => ExchangeEnd::Failed { code: kind, message },
        },
        masked,
        request: text(&folder.join(REQUEST), body_bytes)?,
        response,
    })
}

fn asked(exchange: &Exchange) -> AnsweringModel {
    AnsweringModel { provider: exchange.provider.as_str().into(), model: exchange.model.as_str().into() }
}

/// Returns the step, the attempt and the number in the name of a folder.
fn place(case: &Path) -> [u32; 3] {
    let mut numbers = name_of(case).rsplitn(4, '-').map(|number| number.parse::<u32>().unwrap_or_default());
    let mut next = || numbers.next().unwrap_or_default();
    let (number, attempt, step) = (next(), next(), next());
    [step, attempt, number]
}

/// Returns the time at which a file was last written.
fn modified(path: &Path) -> Option<Timestamp> {
    let since = fs::metadata(path).ok()?.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(Timestamp::from_millis(i64::try_from(since.as_millis()).ok()?))
}

/// Reads the beginning of a file, at most `largest` bytes.
fn text(path: &Path, largest: u64) -> Result<RecordedText, RecordingsError> {
    let read = || -> io::Result<(Vec<u8>, u64)> {
        let file = File::open(path)?;
        let bytes = file.metadata()?.len();
        let mut start = Vec::new();
        file.take(largest).read_to_end(&mut start)?;
        Ok((start, bytes))
    };
    let (mut start, bytes) = read().map_err(|source| RecordingsError::Unreadable { path: path.to_owned(), source })?;
    let is_cut = bytes > largest;
    // The cut may be within a character.
    let unfinished = std::str::from_utf8(&start).err().filter(|error| is_cut && error.error_len().is_none());
    if let Some(error) = unfinished {
        start.truncate(error.valid_up_to());
    }
    Ok(RecordedText { text: String::from_utf8_lossy(&start).into_owned(), bytes, is_cut })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN: &str = "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a00";

    /// Writes a recorded exchange. Returns its folder.
    fn write(root: &Path, name: &str, response: &str) -> PathBuf {
        let folder = root.join("openai_chat").join(name);
        fs::create_dir_all(&folder).unwrap();
        let (turn, place) = (turn_of(name).unwrap(), place(Path::new(name)));
        let exchange = serde_json::json!({
            "version": 1, "turn": turn, "step": place[0], "attempt": place[1], "provider": "main", "model": "small",
            "api": "openai-chat", "url": "https://llm.example/v1", "status": 200, "headers": {},
            "body": "response.sse", "ended": "whole", "masked": 0,
        });
        fs::write(folder.join(METADATA), exchange.to_string()).unwrap();
        fs::write(folder.join(REQUEST), "{}").unwrap();
        fs::write(folder.join("response.sse"), response).unwrap();
        folder
    }

    #[test]
    fn turns_are_listed_from_the_newest_with_the_number_of_their_exchanges() {
        let folder = tempfile::tempdir().unwrap();
        let older = "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b79ff";
        for name in [format!("{TURN}-001-1-1"), format!("{TURN}-002-1-1"), format!("{older}-001-1-1")] {
            write(folder.path(), &name, "data: [DONE]");
        }
        // An exchange in progress is not listed.
        fs::create_dir(folder.path().join(format!("openai_chat/.{TURN}-003-1.7-1.partial"))).unwrap();
        let page = |turn: Option<&str>, before: Option<&str>, limit| {
            let id = |text: &str| text.parse().unwrap();
            RecordedTurnPage { turn: turn.map(id), before: before.map(id), limit }
        };
        let listed = |turn, before, limit| {
            let turns = recorded_turns(folder.path(), page(turn, before, limit)).unwrap();
            turns.into_iter().map(|turn| (turn.turn.to_string(), turn.exchanges)).collect::<Vec<_>>()
        };
        assert_eq!(listed(None, None, 9), [(TURN.to_owned(), 2), (older.to_owned(), 1)]);
        assert_eq!(listed(None, None, 1), [(TURN.to_owned(), 2)]);
        assert_eq!(listed(None, Some(TURN), 9), [(older.to_owned(), 1)]);
        assert_eq!(listed(Some(older), None, 9), [(older.to_owned(), 1)]);
        assert!(listed(None, Some(older), 9).is_empty());
        let first = recorded_turns(folder.path(), page(None, None, 1)).unwrap().remove(0);
        assert_eq!(first.models, [AnsweringModel { provider: "main".into(), model: "small".into() }]);
        assert!(first.began_at.is_some());
    }

    #[test]
    fn exchanges_are_in_the_order_in_which_they_were_made_and_long_bodies_are_cut() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["002-1-1", "001-1-10", "001-1-9"] {
            write(folder.path(), &format!("{TURN}-{name}"), "aé and more");
        }
        let page = |skip, limit, body_bytes| {
            let page = ExchangePage { skip, limit, body_bytes };
            recorded_exchanges(folder.path(), TURN.parse().unwrap(), page).unwrap()
        };
        let places =
            |list: ExchangeList| list.exchanges.into_iter().map(|found| (found.number, found.step)).collect::<Vec<_>>();
        assert_eq!(places(page(0, 9, 9)), [(1, 1), (2, 1), (3, 2)]);
        assert_eq!(places(page(1, 1, 9)), [(2, 1)]);
        for (body_bytes, text, is_cut) in [(2, "a", true), (3, "aé", true), (12, "aé and more", false)] {
            let found = page(0, 1, body_bytes).exchanges.remove(0);
            let expected = RecordedText { text: text.to_owned(), bytes: 12, is_cut };
            assert_eq!(found.response, Some(expected), "{body_bytes}");
        }
    }

    #[test]
    fn an_exchange_that_cannot_be_read_is_named_beside_the_others() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &format!("{TURN}-001-1-1"), "");
        let damaged = write(folder.path(), &format!("{TURN}-002-1-1"), "");
        fs::write(damaged.join(METADATA), "{").unwrap();
        let page = ExchangePage { skip: 0, limit: 9, body_bytes: 9 };
        let list = recorded_exchanges(folder.path(), TURN.parse().unwrap(), page).unwrap();
        assert_eq!((list.exchanges.len(), list.total), (1, 2));
        assert_eq!(list.unreadable, [format!("{TURN}-002-1-1")]);
    }
}
