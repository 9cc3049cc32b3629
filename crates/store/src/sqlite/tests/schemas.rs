//! Tests of databases with schemas that this version does not read.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use tempfile::tempdir;
use turnkit_core::ports::{SessionPage, SessionStore as _};

use super::super::OpenError;
use super::super::schema::{APPLICATION_ID, CURRENT, OLDEST, TABLES};
use super::*;

/// Creates a database with this schema version, partly in a log left by its last process.
fn of_schema(folder: &Path, schema: u32) -> PathBuf {
    let (path, copy) = (folder.join("original.db"), folder.join("turnkit.db"));
    let connection = Connection::open(&path).unwrap();
    connection
        .execute_batch(&format!(
            "PRAGMA journal_mode = WAL; PRAGMA application_id = 0x746b6974;
             CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
             INSERT INTO meta VALUES ('schema', {schema}); CREATE TABLE sessions (key INTEGER PRIMARY KEY);"
        ))
        .unwrap();
    for end in ["", "-wal"] {
        fs::copy(format!("{}{end}", path.display()), format!("{}{end}", copy.display())).unwrap();
    }
    copy
}

fn bytes(path: &Path) -> [Vec<u8>; 2] {
    ["", "-wal"].map(|end| fs::read(format!("{}{end}", path.display())).unwrap())
}

#[test]
fn a_database_of_a_schema_that_was_never_released_is_refused_by_name_and_left_as_it_is() {
    for schema in (1..OLDEST).chain([CURRENT + 1]) {
        let folder = tempdir().unwrap();
        let path = of_schema(folder.path(), schema);
        let before = bytes(&path);
        assert!(!before[1].is_empty());
        let Some(OpenError::Store(refused)) = SqliteStore::open(&SqliteOptions::at(&path)).err() else {
            panic!("schema {schema} was opened");
        };
        let place = path.display().to_string();
        let expected = if schema > CURRENT {
            StoreError::NewerSchema { path: place, found: schema, known: CURRENT }
        } else {
            StoreError::OlderSchema { path: place, found: schema, oldest: OLDEST }
        };
        assert_eq!(refused, expected);
        assert!(refused.to_string().contains(&format!("schema {schema}")), "{refused}");
        assert!(bytes(&path) == before, "schema {schema}: the files were changed");
    }
}

#[tokio::test]
async fn a_database_of_the_oldest_schema_is_upgraded_with_its_sessions_when_it_is_opened() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("turnkit.db");
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(TABLES).unwrap();
    connection.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
    connection.execute("INSERT INTO meta VALUES ('schema', ?)", [OLDEST]).unwrap();
    connection
        .execute_batch(
            "INSERT INTO sessions (id, tenant, user, agent, title, metadata, fresh, cache_read, cache_write, output, \
             reasoning, unmetered_calls, turns, created_at, last_active_at) VALUES \
             (zeroblob(16), 'local', 'local', 'a', 'old', '{}', 0, 0, 0, 0, 0, 0, 0, 1, 1)",
        )
        .unwrap();
    drop(connection);
    assert_eq!(SqliteStore::examine(&SqliteOptions::at(&path)).unwrap().schema, OLDEST);
    for _ in ["upgraded", "opened again"] {
        let store = SqliteStore::open(&SqliteOptions::at(&path)).unwrap();
        let page = SessionPage { limit: 9, after: None, archived: Some(false) };
        let list = store.list(&scope(), page).await.unwrap();
        let [session] = &list.sessions[..] else { panic!("{list:?}") };
        assert_eq!((&*session.title, session.pinned, session.archived), ("old", false, false));
    }
    assert_eq!(SqliteStore::examine(&SqliteOptions::at(&path)).unwrap().schema, CURRENT);
}
