use std::sync::atomic::Ordering;
use std::time::Duration;

use tempfile::tempdir;
use turnkit_core::{Idempotency, Sweep};

use super::super::JobKind;
use super::group_commit::count_commits;
use super::*;

/// Other turns can commit in between.
#[tokio::test]
async fn old_logs_and_keys_are_deleted_in_many_small_transactions() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    for number in 1..=600 {
        let mut keyed = request(number, SessionKey::New);
        keyed.idempotency = Some(Idempotency { key: format!("k-{number}").into(), body_sha256: [0; 32] });
        let AcceptOutcome::Running(claimed) = store.accept(&scope(), keyed).await.unwrap() else {
            panic!("not running")
        };
        // Unfinished turns lie between finished ones.
        if number % 2 == 0 {
            let end = boundary(&claimed.claim, 2, 0, Some(TurnStatus::Completed));
            store.checkpoint(&claimed.claim, end).await.unwrap();
        }
    }
    let commits = count_commits(&store).await;
    let deleted = store.delete_expired(&Sweep::new(worker()), AT.plus(Duration::from_millis(1))).await.unwrap();
    assert_eq!(deleted.turns, 300);
    assert_eq!(
        commits.load(Ordering::Relaxed),
        2 + 3 + 4,
        "300 logs and 600 keys, 256 at a time, and words of 512 turns"
    );
}

/// A session may have a long history, so only a few are removed at once.
#[tokio::test]
async fn sessions_of_one_turn_are_removed_in_small_transactions_with_all_their_rows() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    for number in 1..=100 {
        let mut accept = request(number, SessionKey::Ephemeral(vec![Message::user("before")]));
        accept.new_session = SessionId(Uuid::from_u128(1000 + number));
        accept.idempotency = Some(Idempotency { key: format!("k-{number}").into(), body_sha256: [0; 32] });
        let AcceptOutcome::Running(claimed) = store.accept(&scope(), accept).await.unwrap() else {
            panic!("not running")
        };
        let end = (number != 50).then_some(TurnStatus::Completed);
        store.checkpoint(&claimed.claim, boundary(&claimed.claim, 2, 1, end)).await.unwrap();
    }
    let commits = count_commits(&store).await;
    let later = AT.plus(Duration::from_millis(1));
    assert_eq!(store.delete_expired(&Sweep::new(worker()), later).await.unwrap().turns, 99);
    assert_eq!(commits.load(Ordering::Relaxed), 1 + 1 + 1 + 3, "99 logs, 100 keys, 99 sessions, 5 rows of each");

    let left = |table| format!("SELECT count(*) FROM {table}");
    let rows = store.write(JobKind::Other, move |connection| {
        let tables = ["sessions", "turns", "messages", "events", "tool_calls", "idem_keys"];
        let counts = tables.map(|table| connection.query_row(&left(table), [], |row| row.get::<_, i64>(0)));
        Ok(counts.into_iter().collect::<Result<Vec<_>, _>>()?)
    });
    assert_eq!(rows.await.unwrap(), [1, 2, 3, 2, 1, 0]);
}
