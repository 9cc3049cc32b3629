//! Tests of the number of statements and pages of a turn, which must not grow unnoticed.

use std::cell::Cell;
use std::collections::VecDeque;
use std::time::Duration;

use rusqlite::trace::{TraceEvent, TraceEventCodes};
use tempfile::{TempDir, tempdir};
use turnkit_core::{Resolution, ResolveOutcome};

use super::super::accept::TurnInsert;
use super::super::checkpoint::CheckpointWrite;
use super::super::days::Days;
use super::super::{JobKind, open as database};
use super::*;

thread_local! {
    // Each store has its own writing thread.
    static STATEMENTS: Cell<u32> = const { Cell::new(0) };
}

pub(super) async fn count_statements(store: &SqliteStore) {
    let count = |event: TraceEvent<'_>| {
        if let TraceEvent::Stmt(_, sql) = event
            && ["SELECT", "INSERT", "UPDATE", "DELETE"].iter().any(|verb| sql.starts_with(verb))
        {
            STATEMENTS.set(STATEMENTS.get() + 1);
        }
    };
    let trace = move |connection: &rusqlite::Connection| {
        connection.trace_v2(TraceEventCodes::SQLITE_TRACE_STMT, Some(count));
        Ok(())
    };
    store.write(JobKind::Other, trace).await.unwrap();
}

/// Returns the number of statements since the last call.
pub(super) async fn statements(store: &SqliteStore) -> u32 {
    store.write(JobKind::Other, |_| Ok(STATEMENTS.replace(0))).await.unwrap()
}

#[tokio::test]
async fn each_transaction_of_a_turn_takes_a_known_number_of_statements() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    count_statements(&store).await;

    let claimed = start(&store, 1).await.unwrap();
    let id = claimed.session.id;
    assert_eq!(statements(&store).await, 4, "accept in a new session");
    let name = SessionKey::Name("mine".parse().unwrap());
    let mut with_key = request(2, name);
    with_key.idempotency = Some(turnkit_core::Idempotency { key: "k".into(), body_sha256: [0; 32] });
    store.accept(&scope(), with_key.clone()).await.unwrap();
    assert_eq!(statements(&store).await, 7, "accept in a new session with a name, with a key");
    store.accept(&scope(), with_key.clone()).await.unwrap();
    assert_eq!(statements(&store).await, 1, "accept again");
    let other_key = Some(turnkit_core::Idempotency { key: "other".into(), body_sha256: [0; 32] });
    let refused = NewTurn { busy: BusyPolicy::Reject, idempotency: other_key, ..with_key };
    let busy = StoreError::Conflict(turnkit_core::ConflictKind::SessionBusy);
    assert_eq!(store.accept(&scope(), refused.clone()).await.unwrap_err(), busy);
    assert_eq!(statements(&store).await, 2, "a refusal, which only reads");

    store.checkpoint(&claimed.claim, boundary(&claimed.claim, 2, 3, None)).await.unwrap();
    assert_eq!(statements(&store).await, 4 + 3, "checkpoint with three calls");
    store.checkpoint(&claimed.claim, boundary(&claimed.claim, 3, 0, Some(TurnStatus::Completed))).await.unwrap();
    assert_eq!(statements(&store).await, 6, "end");

    let AcceptOutcome::Running(second) = store.accept(&scope(), request(3, SessionKey::Id(id))).await.unwrap() else {
        panic!("not running")
    };
    assert_eq!(statements(&store).await, 5, "accept in an idle session");
    store.accept(&scope(), request(4, SessionKey::Id(id))).await.unwrap();
    assert_eq!(statements(&store).await, 4, "accept in a busy session");
    store.checkpoint(&second.claim, boundary(&second.claim, 2, 0, Some(TurnStatus::Completed))).await.unwrap();
    assert_eq!(statements(&store).await, 9, "end, and the next turn begins");

    store.accept(&scope(), request(5, SessionKey::Id(id))).await.unwrap();
    statements(&store).await;
    for (turn, expected) in [(4, 1), (5, 2)] {
        let turn = TurnId(Uuid::from_u128(turn));
        store.request_stop(&scope(), turn, turnkit_core::StopReason::Cancelled, AT).await.unwrap();
        assert_eq!(statements(&store).await, expected, "stop of a running and of a queued turn");
    }
}

#[tokio::test]
async fn consumption_takes_one_statement_once_the_sum_of_its_day_is_known() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    count_statements(&store).await;
    let claimed = start(&store, 1).await.unwrap();
    statements(&store).await;
    for (seq, expected) in [(2, 4 + 3), (5, 4 + 1)] {
        store.checkpoint(&claimed.claim, step(boundary(&claimed.claim, seq, 0, None))).await.unwrap();
        assert_eq!(statements(&store).await, expected);
    }
}

#[tokio::test]
async fn saving_or_removing_an_incomplete_answer_takes_one_statement() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    count_statements(&store).await;
    let claimed = start(&store, 1).await.unwrap();
    statements(&store).await;
    store.save_partial(&claimed.claim, turnkit_core::PartialSave::default()).await.unwrap();
    assert_eq!(statements(&store).await, 1);
    let removes = Checkpoint { removes_partials: true, ..boundary(&claimed.claim, 2, 0, None) };
    store.checkpoint(&claimed.claim, removes).await.unwrap();
    assert_eq!(statements(&store).await, 4 + 1);
}

/// A turn without waits runs no additional statements.
#[tokio::test]
async fn the_waits_of_a_turn_take_a_known_number_of_statements() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    count_statements(&store).await;
    let ClaimedTurn { claim, .. } = start(&store, 1).await.unwrap();
    statements(&store).await;
    let waits = [0, 1, 2].map(|ordinal| wait(&claim, ordinal)).to_vec();
    let asks = Checkpoint { waits: waits.clone(), ..boundary(&claim, 2, 0, None) };
    store.checkpoint(&claim, asks).await.unwrap();
    assert_eq!(statements(&store).await, 4 + 3, "three calls wait from now on");
    store.checkpoint(&claim, Checkpoint { waiting: true, ..boundary(&claim, 3, 0, None) }).await.unwrap();
    assert_eq!(statements(&store).await, 4 + 1, "so does the turn");
    let approved = Resolution::Approved { arguments: None, note: None, grant: None };
    let owner = scope();
    let decide = |wait: &NewWait| store.resolve(&owner, wait.id, approved.clone(), None, AT);
    assert_eq!(decide(&waits[0]).await, Ok(ResolveOutcome::Decided { ready: false }));
    assert_eq!(statements(&store).await, 3, "a decision");
    let granting = Resolution::Approved { arguments: None, note: None, grant: Some(turnkit_core::GrantScope::Always) };
    let granted = store.resolve(&owner, waits[1].id, granting, Some(super::everything::granted()), AT).await;
    assert_eq!(granted, Ok(ResolveOutcome::Decided { ready: false }));
    assert_eq!(statements(&store).await, 3 + 1, "a decision with a grant");
    assert_eq!(decide(&waits[0]).await, Ok(ResolveOutcome::Repeated));
    assert_eq!(statements(&store).await, 1, "the same decision, which only reads");
    store.request_stop(&scope(), claim.turn(), turnkit_core::StopReason::Cancelled, AT).await.unwrap();
    assert_eq!(statements(&store).await, 2, "stop of a turn that waits");
}

#[tokio::test]
async fn a_session_of_one_turn_costs_its_past_and_nothing_else() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    count_statements(&store).await;
    let mut without = request(1, SessionKey::Ephemeral(Vec::new()));
    without.new_session = SessionId(Uuid::from_u128(101));
    store.accept(&scope(), without).await.unwrap();
    assert_eq!(statements(&store).await, 4, "no past");
    let mut with = request(2, SessionKey::Ephemeral(vec![Message::user("one"), Message::user("two")]));
    with.new_session = SessionId(Uuid::from_u128(102));
    store.accept(&scope(), with).await.unwrap();
    assert_eq!(statements(&store).await, 4 + 1 + 2, "a past of two messages");
    let id_as_name = SessionKey::Name(Uuid::from_u128(7).to_string().parse().unwrap());
    store.accept(&scope(), request(3, id_as_name)).await.unwrap();
    assert_eq!(statements(&store).await, 6, "a name that could be an id");
}

/// Returns the number of pages in the write-ahead log.
fn pages_written(folder: &TempDir) -> u64 {
    let (head, frame) = (32, 24 + 4096);
    (std::fs::metadata(folder.path().join("turnkit.db-wal")).unwrap().len() - head) / frame
}

/// Takes the minimum of several tries, because a tree occasionally grows by one page.
#[tokio::test]
async fn each_transaction_of_a_turn_writes_a_known_number_of_pages() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    let written = || pages_written(&folder);
    let mut fewest = [u64::MAX; 4];
    for number in 1..=40 {
        let mut pages = vec![written()];
        let ClaimedTurn { claim, session, .. } = start(&store, 2 * number).await.unwrap();
        pages.push(written());
        store.checkpoint(&claim, boundary(&claim, 2, 0, None)).await.unwrap();
        pages.push(written());
        let mut last = boundary(&claim, 3, 0, Some(TurnStatus::Completed));
        last.at = AT.plus(Duration::from_millis(number as u64));
        store.checkpoint(&claim, last).await.unwrap();
        pages.push(written());
        store.accept(&scope(), request(2 * number + 1, SessionKey::Id(session.id))).await.unwrap();
        pages.push(written());
        for (fewest, pages) in fewest.iter_mut().zip(pages.windows(2)) {
            *fewest = (*fewest).min(pages[1] - pages[0]);
        }
    }
    assert_eq!(fewest, [12, 5, 8, 11], "a new session, a boundary, the end, a session there is");
}

/// Sixteen turns are in progress at any time. Each commit ends four and starts four. Counts the pages of fifty such
/// commits.
#[test]
fn turns_that_run_side_by_side_share_the_pages_they_write() {
    let folder = tempdir().unwrap();
    let options = SqliteOptions::at(folder.path().join("turnkit.db"));
    let connection = database::writer(&options).unwrap();
    let accept = |number| {
        let accepted = TurnInsert::new(&scope(), request(number, SessionKey::New)).unwrap().store(&connection);
        let Ok(AcceptOutcome::Running(claimed)) = accepted else { panic!("not running") };
        claimed.claim
    };
    let mut running: VecDeque<Claim> = (1..=16).map(accept).collect();
    let before = pages_written(&folder);
    for commit in 0..50 {
        connection.execute_batch("BEGIN").unwrap();
        for turn in 1..=4 {
            // Ends the turns in another order than they started.
            let claim = running.remove(5 * (turn - 1)).unwrap();
            let mut last = boundary(&claim, 2, 0, Some(TurnStatus::Completed));
            last.messages = vec![Entry::new(Message::user("word ".repeat(100)))];
            CheckpointWrite::new(&claim, last).unwrap().store(&connection, &Days::default()).unwrap();
            running.push_back(accept(16 + 4 * commit + turn as u128));
        }
        connection.execute_batch("COMMIT").unwrap();
    }
    assert_eq!(pages_written(&folder) - before, 800);
}
