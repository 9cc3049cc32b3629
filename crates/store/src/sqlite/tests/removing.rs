use std::sync::atomic::Ordering;

use tempfile::tempdir;
use turnkit_core::Sweep;
use turnkit_core::ports::{SessionPage, SessionStore as _, TurnPage};

use super::super::{JobKind, removal};
use super::group_commit::count_commits;
use super::*;

/// Creates a session with a thousand messages in one turn and a few in another, and returns its id.
async fn long_session(store: &SqliteStore) -> SessionId {
    let mut accept = request(1, SessionKey::Ephemeral(vec![Message::user("before"); 1000]));
    accept.new_session = SessionId(Uuid::from_u128(101));
    let AcceptOutcome::Running(claimed) = store.accept(&scope(), accept).await.unwrap() else { panic!("not running") };
    let end = boundary(&claimed.claim, 2, 1, Some(TurnStatus::Completed));
    store.checkpoint(&claimed.claim, end).await.unwrap();
    claimed.session.id
}

async fn rows(store: &SqliteStore) -> Vec<i64> {
    let counts = store.read(|connection| {
        let count = |table| connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0));
        let tables = ["sessions", "turns", "messages", "events", "tool_calls"];
        Ok(tables.into_iter().map(count).collect::<Result<_, _>>()?)
    });
    counts.await.unwrap()
}

/// Other turns can commit in between.
#[tokio::test]
async fn a_long_session_is_removed_in_many_small_transactions() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    let long = long_session(&store).await;
    let commits = count_commits(&store).await;
    store.delete(&scope(), long).await.unwrap();
    assert_eq!(commits.load(Ordering::Relaxed), 1 + 4, "the session, and 1005 rows, 256 at a time");
    assert_eq!(rows(&store).await, [0; 5]);
}

#[tokio::test]
async fn an_interrupted_removal_hides_the_session_and_deletes_its_rows_later() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    let long = long_session(&store).await;
    let first_part = store.write(JobKind::Other, move |connection| {
        removal::delete(connection, &scope(), long)?;
        removal::delete_slice(connection)?;
        removal::has_remaining_rows(connection)
    });
    assert!(first_part.await.unwrap());
    drop(store);

    let store = open(&folder);
    assert_eq!(store.session(&scope(), long).await.err(), Some(StoreError::NotFound));
    assert_eq!(store.list(&scope(), SessionPage { limit: 9, after: None, archived: None }).await.unwrap().sessions, []);
    let turn = TurnId(Uuid::from_u128(1));
    assert_eq!(store.turn(&scope(), turn).await.err(), Some(StoreError::NotFound));
    assert_eq!(store.log(&scope(), turn).await.err(), Some(StoreError::NotFound));
    let all = TurnPage { session: None, state: None, limit: 9, after: None, ..TurnPage::default() };
    assert_eq!(store.turns(&scope(), all).await.unwrap().turns, []);
    let claim = Claim::granted_by_store(turn, scope(), turnkit_core::Fence(1), worker());
    assert_eq!(store.history(&claim).await.err(), Some(StoreError::Fenced));

    let new = start(&store, 2).await.unwrap();
    assert_eq!((new.number, new.messages), (1, 1));
    let deleted = store.delete_expired(&Sweep::new(worker()), Timestamp::from_millis(0)).await.unwrap();
    assert_eq!(deleted.sessions, []);
    assert_eq!(rows(&store).await, [1, 1, 1, 1, 0]);
    assert_eq!(store.messages(&scope(), new.session.id).await.unwrap().len(), 1);
}
