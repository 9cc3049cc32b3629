use std::time::Duration;

use tempfile::tempdir;
use turnkit_core::ports::{NewSession, SessionEdit, SessionPage, SessionStore as _};
use turnkit_core::{ExpiryOutcome, SamplingParams, ToolUse};

use super::super::{Failure, JobKind};
use super::*;

async fn pragma(store: &SqliteStore, pragma: &'static str) {
    store.write(JobKind::Other, move |connection| Ok(connection.execute_batch(pragma)?)).await.unwrap();
}

async fn sessions(store: &SqliteStore) -> usize {
    store.list(&scope(), SessionPage { limit: 100_000, after: None, archived: None }).await.unwrap().sessions.len()
}

#[tokio::test]
async fn a_full_disk_rejects_writes_and_loses_nothing() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    let claimed = start(&store, 1).await.unwrap();
    pragma(&store, "PRAGMA max_page_count = 40").await;

    let mut accepted = 1;
    let refused = loop {
        match start(&store, accepted + 1).await {
            Ok(_) => accepted += 1,
            Err(error) => break error,
        }
    };
    let said = refused.to_string();
    assert!(said.contains("turnkit.db") && said.contains("free some space"), "{said}");
    assert_eq!(store.write_failure(), Some(refused.clone()));
    assert_eq!(sessions(&store).await as u128, accepted);

    let mut large = boundary(&claimed.claim, 2, 0, Some(TurnStatus::Completed));
    large.messages = vec![Entry::new(Message::user("x".repeat(1 << 20)))];
    assert_eq!(store.checkpoint(&claimed.claim, large.clone()).await.err(), Some(refused.clone()));
    // A statement that changes nothing writes nothing.
    pragma(&store, "DELETE FROM sessions WHERE key < 0").await;
    assert_eq!(store.retry_writing().await, Err(refused.clone()));
    assert_eq!(store.write_failure(), Some(refused));

    pragma(&store, "PRAGMA max_page_count = 100000").await;
    store.checkpoint(&claimed.claim, large).await.unwrap();
    assert_eq!(store.write_failure(), None);
    start(&store, 999_999).await.unwrap();
    let sound: String = store
        .write(JobKind::Other, |connection| Ok(connection.query_row("PRAGMA integrity_check", [], |row| row.get(0))?))
        .await
        .unwrap();
    assert_eq!(sound, "ok");
}

#[tokio::test]
async fn an_idle_store_detects_free_space_again() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    start(&store, 1).await.unwrap();
    assert_eq!(store.retry_writing().await, Ok(()));
    pragma(&store, "PRAGMA max_page_count = 40").await;
    while start(&store, 2 + sessions(&store).await as u128).await.is_ok() {}
    assert!(matches!(store.retry_writing().await, Err(StoreError::Full(_))));
    pragma(&store, "PRAGMA max_page_count = 100000").await;
    assert_eq!((store.retry_writing().await, store.write_failure()), (Ok(()), None));
    let left = "SELECT count(*) FROM meta WHERE name <> 'schema'";
    let left = store.write(JobKind::Other, move |connection| Ok(connection.query_row(left, [], |row| row.get(0))?));
    assert_eq!(left.await, Ok(0));
}

/// The first turn has as many waits as one transaction denies, and they expire before the wait of the second turn.
#[tokio::test]
async fn turns_whose_waits_expired_are_reported_although_others_could_not_be_denied() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    let [of_first, of_second] = [start(&store, 1).await.unwrap(), start(&store, 2).await.unwrap()];
    let (first, second) = (of_first.claim, of_second.claim);
    let later = wait(&second, 0).expires_at.plus(Duration::from_secs(1));
    let waits = (0..256).map(|ordinal| wait(&first, ordinal)).collect();
    store.checkpoint(&first, Checkpoint { waits, waiting: true, ..boundary(&first, 2, 0, None) }).await.unwrap();
    let waits = vec![NewWait { expires_at: later, ..wait(&second, 0) }];
    store.checkpoint(&second, Checkpoint { waits, waiting: true, ..boundary(&second, 2, 0, None) }).await.unwrap();
    let refuses =
        "CREATE TRIGGER refuses BEFORE UPDATE ON waits WHEN OLD.turn = 2 BEGIN SELECT RAISE(ABORT, 'no'); END";
    pragma(&store, refuses).await;

    let sweep = turnkit_core::Sweep::new(worker());
    let expired = ExpiryOutcome { ready: vec![first.turn()], sessions: vec![of_first.session.id], next: Some(later) };
    assert_eq!(store.expire(&sweep, later).await, Ok(expired));
    assert!(store.expire(&sweep, later).await.is_err());
    pragma(&store, "DROP TRIGGER refuses").await;
    let expired = ExpiryOutcome { ready: vec![second.turn()], sessions: vec![of_second.session.id], next: None };
    assert_eq!(store.expire(&sweep, later).await, Ok(expired));
}

#[test]
fn a_write_rejected_by_the_system_counts_as_a_full_disk() {
    let explained = |code| {
        let error = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None);
        Failure::from(error).explain(std::path::Path::new("turnkit.db"))
    };
    for code in [rusqlite::ffi::SQLITE_FULL, rusqlite::ffi::SQLITE_IOERR_WRITE, rusqlite::ffi::SQLITE_IOERR_SHMSIZE] {
        assert!(matches!(explained(code), StoreError::Full(path) if path.starts_with("turnkit.db")), "{code}");
    }
    assert!(matches!(explained(rusqlite::ffi::SQLITE_IOERR_FSYNC), StoreError::Unavailable(_)));
}

#[tokio::test]
async fn a_database_that_becomes_read_only_can_still_be_read() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    start(&store, 1).await.unwrap();
    pragma(&store, "PRAGMA query_only = ON").await;
    assert!(matches!(start(&store, 2).await, Err(StoreError::ReadOnly(what)) if what.contains("turnkit.db")));
    assert_eq!(sessions(&store).await, 1);
    assert!(matches!(store.write_failure(), Some(StoreError::ReadOnly(_))));
    drop(store);
    start(&open(&folder), 2).await.unwrap();
}

#[tokio::test]
async fn a_damaged_row_is_reported_and_affects_no_other() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    let broken = start(&store, 1).await.unwrap();
    let sound = start(&store, 2).await.unwrap();
    pragma(&store, "UPDATE messages SET body = '{\"role\":' WHERE turn = 1").await;
    assert!(matches!(store.load(&broken.claim).await, Err(StoreError::Corrupt(_))));
    store.load(&sound.claim).await.unwrap();
    pragma(&store, "UPDATE turns SET stop = 'because' WHERE key = 1").await;
    pragma(&store, "UPDATE turns SET state = 'cancelling' WHERE key = 1").await;
    let last = boundary(&broken.claim, 2, 0, Some(TurnStatus::Completed));
    assert!(matches!(store.checkpoint(&broken.claim, last).await, Err(StoreError::Corrupt(_))));
}

#[tokio::test]
async fn too_deeply_nested_metadata_is_rejected() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    let deep = (0..500).fold(serde_json::json!(1), |inner, _| serde_json::json!([inner]));
    let metadata = serde_json::Map::from_iter([("a".to_owned(), deep)]);
    let id = SessionId(Uuid::from_u128(1));
    let session = NewSession {
        id,
        name: None,
        agent: "a".into(),
        title: "t".into(),
        metadata: metadata.clone(),
        prompt: None,
        params: SamplingParams::default(),
        tools: ToolUse::Auto,
        mode: None,
        at: AT,
    };
    let refused = |why: Option<StoreError>| {
        assert!(why.as_ref().is_some_and(|why| why.to_string().contains("nested too deeply")), "{why:?}");
    };
    refused(store.create(&scope(), session.clone()).await.err());
    store.create(&scope(), NewSession { metadata: serde_json::Map::new(), ..session }).await.unwrap();
    let edit = SessionEdit { metadata: Some(metadata), ..SessionEdit::default() };
    refused(store.edit(&scope(), id, edit).await.err());
    assert_eq!(sessions(&store).await, 1);
}

#[tokio::test]
async fn a_queued_turn_of_an_idle_session_starts_when_claimed() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    let first = start(&store, 1).await.unwrap();
    for number in [2, 3] {
        store.accept(&scope(), request(number, SessionKey::Id(first.session.id))).await.unwrap();
    }
    store.checkpoint(&first.claim, boundary(&first.claim, 2, 0, None)).await.unwrap();
    // The store never writes this state, because the end of a turn starts the next one.
    pragma(&store, "UPDATE turns SET state = 'completed', ended_at = 1 WHERE key = 1").await;
    let sweep = turnkit_core::Sweep::new(worker());
    let second = TurnId(Uuid::from_u128(2));
    assert!(store.claim(&sweep, TurnId(Uuid::from_u128(3)), AT).await.unwrap().is_none());
    let mut claimed = store.claim_oldest(&sweep, 9, AT).await.unwrap().claimed;
    let claimed = claimed.pop().unwrap();
    assert_eq!(claimed.claim.turn(), second);
    assert_eq!((claimed.number, claimed.messages), (2, 3));
    assert_eq!(store.history(&claimed.claim).await.unwrap().len(), 2);
}

#[tokio::test]
async fn reads_that_panic_are_answered_also_when_no_reader_is_left() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    let panics = || store.read(|_| -> Result<(), Failure> { panic!("a bug") });
    assert!(matches!(panics().await, Err(StoreError::Unavailable(_))));
    assert_eq!(sessions(&store).await, 0);
    for _ in 0..3 {
        assert!(matches!(panics().await, Err(StoreError::Unavailable(_))));
    }
    start(&store, 1).await.unwrap();
}

#[tokio::test]
async fn a_value_that_cannot_be_bound_is_not_taken_for_damage() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    let unbound = store.write(JobKind::Other, |connection| {
        let unfit = rusqlite::Error::ToSqlConversionFailure("the number is too large".into());
        connection.query_row("SELECT 1", [], |_| Err::<(), _>(unfit))?;
        Ok(())
    });
    assert!(matches!(unbound.await, Err(StoreError::Unavailable(what)) if what.contains("too large")));
    let unread = store
        .write(JobKind::Other, |connection| Ok(connection.query_row("SELECT 'text'", [], |row| row.get::<_, i64>(0))?));
    assert!(matches!(unread.await, Err(StoreError::Corrupt(_))));
}
