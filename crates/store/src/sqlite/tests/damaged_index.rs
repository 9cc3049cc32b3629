use tempfile::tempdir;
use turnkit_core::Sweep;
use turnkit_core::ports::{SessionSearch, SessionStore as _};

use super::super::JobKind;
use super::*;

/// Kinds of damage to the tables in which SQLite stores the index.
const DAMAGES: &[(&str, &str)] = &[
    ("a page is cut", "UPDATE words_data SET block = substr(block, 1, 3) WHERE id > 10"),
    ("a page has other bytes", "UPDATE words_data SET block = randomblob(length(block)) WHERE id > 10"),
    ("pages are gone", "DELETE FROM words_data WHERE id > 10"),
    ("the list of pages is cut", "UPDATE words_data SET block = substr(block, 1, 2) WHERE id = 10"),
    ("the list of pages is gone", "DELETE FROM words_data WHERE id = 10"),
    ("the sum of lengths is gone", "DELETE FROM words_data WHERE id = 1"),
    ("the index has no rows", "DELETE FROM words_docsize; DELETE FROM words_idx"),
];

/// Creates a session of one turn with the word `hello`.
async fn completed(store: &SqliteStore, number: u128) -> SessionId {
    let claimed = start(store, number).await.unwrap();
    store.checkpoint(&claimed.claim, boundary(&claimed.claim, 2, 0, Some(TurnStatus::Completed))).await.unwrap();
    claimed.session.id
}

async fn found(store: &SqliteStore) -> Result<Vec<SessionId>, StoreError> {
    let search = SessionSearch { query: "answer".parse().unwrap(), limit: 100, after: None, archived: None };
    let found = store.search(&scope(), search).await?.found;
    Ok(found.into_iter().filter(|found| found.turn.is_some()).map(|found| found.session.id).collect())
}

/// Creates a database with the words of ten sessions in its index, and damages the index.
async fn damaged(folder: &tempfile::TempDir, sql: &'static str) -> (SqliteStore, Vec<SessionId>) {
    let store = open(folder);
    let mut sessions = Vec::new();
    for number in 1..=10 {
        sessions.push(completed(&store, number).await);
    }
    assert_eq!(found(&store).await.unwrap().len(), 10);
    store.write(JobKind::Other, move |connection| Ok(connection.execute_batch(sql)?)).await.unwrap();
    drop(store);
    (open(folder), sessions)
}

#[tokio::test]
async fn sessions_are_removed_whatever_is_damaged_in_the_index() {
    for (what, sql) in DAMAGES {
        let folder = tempdir().unwrap();
        let (store, sessions) = damaged(&folder, sql).await;
        for session in &sessions[..5] {
            store.delete(&scope(), *session).await.unwrap_or_else(|error| panic!("{what}: {error}"));
        }
        let rows = store.read(|connection| {
            Ok(connection.query_row("SELECT count(*) FROM sessions", [], |row| row.get::<_, i64>(0))?)
        });
        assert_eq!(rows.await.unwrap(), 5, "{what}");
    }
}

/// Some damage is undetectable, because only rows are missing. Turns added later are found in any case.
#[tokio::test]
async fn a_search_rebuilds_a_damaged_index() {
    for (what, sql) in DAMAGES {
        let folder = tempdir().unwrap();
        let (store, _) = damaged(&folder, sql).await;
        let later = completed(&store, 11).await;
        let found = found(&store).await.unwrap_or_else(|error| panic!("{what}: {error}"));
        assert!(found.contains(&later), "{what}: {found:?}");
    }
}

#[tokio::test]
async fn turns_continue_and_logs_are_deleted_despite_a_damaged_index() {
    for (what, sql) in DAMAGES {
        let folder = tempdir().unwrap();
        let (store, _) = damaged(&folder, sql).await;
        for number in 11..=150 {
            completed(&store, number).await;
        }
        let deleted =
            store.delete_expired(&Sweep::new(worker()), AT).await.unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(deleted.turns, 0, "{what}");
    }
}
