//! Tests that each statement reads only the rows it needs, regardless of the size of the database.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

use rusqlite::trace::{TraceEvent, TraceEventCodes};
use rusqlite::{Connection, StatementStatus};
use tempfile::tempdir;
use turnkit_core::ports::{SessionStore as _, TurnPage};
use turnkit_core::{TurnState, WaitKind};

use super::super::accept::TurnInsert;
use super::super::checkpoint::CheckpointWrite;
use super::super::days::Days;
use super::super::rows::Word as _;
use super::super::{JobKind, expired, open as database, removal};
use super::everything::use_everything;
use super::past::past;
use super::*;

thread_local! {
    /// The steps of SQLite's virtual machine for each statement.
    static STEPS: RefCell<BTreeMap<String, i32>> = const { RefCell::new(BTreeMap::new()) };
}

/// Statements that cover all rows of a kind: all unfinished turns, at a start and when a user asks for their own; all
/// keys of clients; and all sessions that are being removed.
const MAY_SCAN: &[&str] = &[
    "UNION ALL SELECT q.key",
    "INDEXED BY one_turn",
    "INDEXED BY queue",
    "FROM api_keys ORDER BY key",
    "removed = 1",
    // These cover noted unfinished turns, and all matches of a search. SQLite reports every access to a word index as a
    // scan.
    "FROM unsearched u",
    "FROM words",
];

/// Statements that cover all messages of a session, all turns of a forked session, and all logs, and one that a binary
/// search repeats.
const MAY_GROW: &[&str] = &[
    "WITH RECURSIVE branch",
    "FROM messages WHERE turn = ? AND ord >= ? ORDER BY ord",
    "(SELECT min(turn) FROM events)",
    "nullif(?3 - 1, 0)",
    "SELECT ?, ord, replace(body",
    "SELECT ?, blob FROM turn_blobs",
    "FROM words JOIN turns",
    "t.accepted_at FROM turns t INDEXED BY turn_owner",
];

/// Returns the steps of each statement of `script` in a database with a long history.
fn steps_after(turns: u32, script: impl FnOnce(&Connection)) -> BTreeMap<String, i32> {
    let folder = tempdir().unwrap();
    let connection = database::writer(&SqliteOptions::at(folder.path().join("turnkit.db"))).unwrap();
    connection.execute_batch("BEGIN").unwrap();
    connection.execute_batch(&past(turns)).unwrap();
    connection.trace_v2(TraceEventCodes::SQLITE_TRACE_PROFILE, Some(count));
    script(&connection);
    connection.trace_v2(TraceEventCodes::SQLITE_TRACE_PROFILE, None);
    STEPS.take()
}

/// Records the steps of a statement. The counter of a cached statement continues when it runs again.
fn count(event: TraceEvent<'_>) {
    if let TraceEvent::Profile(statement, _) = event {
        let (sql, steps) = (statement.sql().into_owned(), statement.get_status(StatementStatus::VmStep));
        // Statements inside the word index are SQLite's own, so they are skipped.
        if !sql.contains("'words_") && !sql.contains("data_version") {
            STEPS.with_borrow_mut(|seen| seen.insert(sql, steps));
        }
    }
}

#[test]
fn no_statement_of_a_turn_scans_a_table() {
    let folder = tempdir().unwrap();
    let connection = database::writer(&SqliteOptions::at(folder.path().join("turnkit.db"))).unwrap();
    let seen = steps_after(1, use_everything);
    assert!(seen.len() > 70, "only {} statements", seen.len());
    for sql in seen.keys().filter(|sql| !MAY_SCAN.iter().any(|part| sql.contains(part))) {
        let mut explain = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let mut steps = explain.raw_query();
        while let Some(step) = steps.next().unwrap() {
            let step: String = step.get(3).unwrap();
            let of_the_query_itself = ["SCAN branch", "SCAN b", "SCAN CONSTANT ROW"].contains(&step.as_str());
            assert!(!step.contains("SCAN") || of_the_query_itself, "{step}: {sql}");
            assert!(!step.contains("TEMP B-TREE"), "{step}: {sql}");
        }
    }
}

/// Statements are constants, so they cannot use the words defined by the types.
#[test]
fn every_word_that_a_statement_names_is_that_of_a_state_or_of_a_wait() {
    let seen = steps_after(1, use_everything);
    let quoted = seen.keys().flat_map(|sql| sql.split('\'').skip(1).step_by(2));
    let words = quoted.filter(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase()));
    let is_wait = |word: &str| WaitKind::WORDS.iter().any(|(_, known)| *known == word);
    let unknown = words.filter(|word| word.parse::<TurnState>().is_err() && !is_wait(word));
    assert_eq!(unknown.collect::<Vec<_>>(), [""; 0]);
}

/// The history of the owner does not matter, in the same session or in others.
#[test]
fn no_statement_of_a_turn_grows_with_earlier_turns() {
    let (little, much) = (steps_after(1500, use_everything), steps_after(3000, use_everything));
    assert!(little.keys().eq(much.keys()));
    let grew = little.into_iter().filter(|(sql, steps)| much.get(sql) != Some(steps)).map(|(sql, _)| sql);
    let grew: Vec<_> = grew.filter(|sql| !MAY_GROW.iter().any(|part| sql.contains(part))).collect();
    assert_eq!(grew, Vec::<String>::new());
}

/// SQLite creates a temporary table for RETURNING, for a list of values, and to sort. It costs more than the statement
/// itself.
#[test]
fn no_statement_of_a_plain_turn_makes_a_table_of_its_own() {
    let folder = tempdir().unwrap();
    let connection = database::writer(&SqliteOptions::at(folder.path().join("turnkit.db"))).unwrap();
    let seen = steps_after(1, |connection| {
        for number in [1, 2] {
            let accept = request(number, SessionKey::Name("ours".parse().unwrap()));
            let accepted = TurnInsert::new(&scope(), accept).unwrap().store(connection);
            let Ok(AcceptOutcome::Running(claimed)) = accepted else { panic!("not running") };
            for (seq, end) in [(2, None), (3, Some(TurnStatus::Completed))] {
                let boundary = boundary(&claimed.claim, seq, 1, end);
                CheckpointWrite::new(&claimed.claim, boundary).unwrap().store(connection, &Days::default()).unwrap();
            }
        }
    });
    assert!(seen.len() > 10, "only {} statements", seen.len());
    for sql in seen.keys() {
        let mut explain = connection.prepare(&format!("EXPLAIN {sql}")).unwrap();
        let mut steps = explain.raw_query();
        while let Some(step) = steps.next().unwrap() {
            let step: String = step.get(1).unwrap();
            assert!(!["OpenEphemeral", "OpenAutoindex", "SorterOpen"].contains(&step.as_str()), "{step}: {sql}");
        }
    }
}

/// The number of keys of the owner does not matter either.
#[test]
fn the_cost_of_deleting_a_session_does_not_grow() {
    let delete_one = |connection: &Connection| {
        let accept = TurnInsert::new(&scope(), request(1, SessionKey::Ephemeral(Vec::new()))).unwrap();
        let Ok(AcceptOutcome::Running(claimed)) = accept.store(connection) else { panic!("not running") };
        let end = boundary(&claimed.claim, 2, 0, Some(TurnStatus::Completed));
        CheckpointWrite::new(&claimed.claim, end).unwrap().store(connection, &Days::default()).unwrap();
        let later = AT.plus(Duration::from_millis(1));
        let sessions = expired::ephemeral(connection, later, (0, 0)).unwrap();
        assert_eq!(expired::remove(connection, later, &sessions).unwrap().len(), 1);
        removal::delete_slice(connection).unwrap();
        assert!(!removal::has_remaining_rows(connection).unwrap());
    };
    assert_eq!(steps_after(1500, delete_one), steps_after(3000, delete_one));
}

/// Few of many turns may have the requested status, so a page reports how far it searched.
#[tokio::test]
async fn a_page_of_turns_ends_after_a_thousand_rows() {
    use TurnState::{Ended, Queued};
    let folder = tempdir().unwrap();
    let store = open(&folder);
    store.write(JobKind::Other, |connection| Ok(connection.execute_batch(&past(1500))?)).await.unwrap();
    let mine = store.session_named(&scope(), &"mine".parse().unwrap()).await.unwrap().id;
    for (session, state, pages) in [
        (Some(mine), Ended(TurnStatus::Cancelled), vec![0, 0]),
        (None, Ended(TurnStatus::Cancelled), vec![0, 0, 0]),
        (None, Ended(TurnStatus::Failed), vec![500, 500, 500]),
        (Some(mine), Queued, vec![0]),
    ] {
        let (mut page, mut found) =
            (TurnPage { session, state: Some(state), limit: 600, after: None, ..TurnPage::default() }, vec![]);
        loop {
            let list = store.turns(&scope(), page.clone()).await.unwrap();
            found.push(list.turns.len());
            page.after = list.next;
            if page.after.is_none() {
                break;
            }
        }
        assert_eq!(found, pages, "{session:?} {state}");
    }
}
