//! Databases of earlier versions.

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use tempfile::tempdir;
use turnkit_core::ports::{KeyStore as _, SessionPage, SessionStore as _, TurnPage};
use turnkit_core::{Cost, Day};

use super::super::OpenError;
use super::*;

/// A database as version 1 left it: two owners' sessions, with turns that are over, run and wait, and a turn whose session
/// is lost.
fn schema_1(folder: &Path) -> PathBuf {
    let path = folder.join("turnkit.db");
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(include_str!("../schema/1.sql")).unwrap();
    connection
        .execute_batch(
            "PRAGMA application_id = 0x746b6974; INSERT INTO meta VALUES ('schema', 1);
             INSERT INTO sessions VALUES
               (1, x'00000000000000000000000000000001', 'local', 'local', 'mine', 'assistant', 'first', '{\"a\":1}',
                5, 0, 0, 2, 0, 0, 2, 1, 1000, 2000),
               (2, x'00000000000000000000000000000002', 'acme', 'ada', NULL, 'assistant', 'hers', '{}',
                0, 0, 0, 0, 0, 0, 1, 1, 1500, 1500);
             INSERT INTO turns (key, id, session, number, after, first_message, messages, agent, state, fence, attempts,
                                interact, resume, input, accepted_at, started_at, ended_at) VALUES
               (1, x'0000000000000000000000000000000a', 1, 1, NULL, 0, 2, 'assistant', 'completed', 1, 0, 1, 1, NULL, 1000, 1000, 2000),
               (2, x'0000000000000000000000000000000b', 2, 1, NULL, 0, 1, 'assistant', 'running', 1, 1, 1, 1, NULL, 1500, 1500, NULL),
               (3, x'0000000000000000000000000000000c', 1, 2, NULL, 0, 0, 'assistant', 'queued', 0, 0, 1, 1,
                '{\"role\":\"user\",\"parts\":[]}', 2000, NULL, NULL),
               (4, x'0000000000000000000000000000000d', 9, 1, NULL, 0, 0, 'assistant', 'completed', 1, 0, 1, 1, NULL, 1500, 1500, 1600);
             INSERT INTO messages VALUES
               (1, 0, '{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"text\":\"one\"}]}'),
               (1, 1, '{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"text\":\"1\"}]}'),
               (2, 0, '{\"role\":\"user\",\"parts\":[]}');
             INSERT INTO events VALUES
               (1, 1, 1, 1, '[{\"at\":\"2023-11-14T22:13:20.000Z\",\"is\":{\"turn_started\":{\"agent\":\"assistant\"}}}]'),
               (1, 2, 3, 1, '[]');",
        )
        .unwrap();
    path
}

#[tokio::test]
async fn a_database_of_schema_1_goes_on_with_all_it_had() {
    let folder = tempdir().unwrap();
    schema_1(folder.path());
    for _ in 0..2 {
        let store = open(&folder);
        let ids = [(scope(), 1, vec![12, 10]), (Scope::new("acme", "ada"), 2, vec![11])];
        for (scope, session, turns) in ids {
            let listed = store.list(&scope, SessionPage { limit: 9, after: None }).await.unwrap();
            assert_eq!(listed.iter().map(|one| one.id.0.as_u128()).collect::<Vec<_>>(), [session]);
            let page = TurnPage { session: None, state: None, limit: 9, after: None };
            let found = store.turns(&scope, page).await.unwrap().turns;
            assert_eq!(found.iter().map(|turn| turn.id.0.as_u128()).collect::<Vec<_>>(), turns);
        }
        assert_eq!(store.keys().await.unwrap(), []);
    }
    let store = open(&folder);
    let first = SessionId(Uuid::from_u128(1));
    let summary = store.summary(&scope(), first).await.unwrap();
    assert_eq!((&*summary.title, summary.usage.fresh, &summary.metadata["a"]), ("first", 5, &1.into()));
    assert_eq!(summary.usage.cost, Cost { nano_usd: 0, unpriced_calls: 2 });
    assert_eq!(store.turn(&scope(), TurnId(Uuid::from_u128(10))).await.unwrap().usage, None);
    assert_eq!(store.consumed(&scope(), Day::FIRST, AT.into()).await.unwrap(), []);
    assert_eq!(store.messages(&scope(), first).await.unwrap().len(), 2);
    let log = store.log(&scope(), TurnId(Uuid::from_u128(10))).await.unwrap();
    assert_eq!(
        log.chunks.iter().map(|chunk| (chunk.from_seq, chunk.entries.len())).collect::<Vec<_>>(),
        [(1, 1), (2, 0)]
    );
    let worker = turnkit_core::Sweep::by(WorkerId("worker".into()));
    let next = store.claim(&worker, TurnId(Uuid::from_u128(12)), AT).await.unwrap().unwrap();
    assert_eq!((next.number, next.messages), (2, 3));
}

#[tokio::test]
async fn a_database_of_schema_6_goes_on_with_what_was_consumed() {
    let folder = tempdir().unwrap();
    let connection = Connection::open(folder.path().join("turnkit.db")).unwrap();
    for script in [
        include_str!("../schema/1.sql"),
        include_str!("../schema/2.sql"),
        include_str!("../schema/3.sql"),
        include_str!("../schema/4.sql"),
        include_str!("../schema/5.sql"),
        include_str!("../schema/6.sql"),
        "PRAGMA application_id = 0x746b6974; INSERT INTO meta VALUES ('schema', 6)",
        "INSERT INTO usage VALUES ('local', 'local', 19000, 'assistant', 'main', 'm', 1, 2, 3, 4, 5, 6, 7, 8, 9)",
        "INSERT INTO usage VALUES ('local', 'local', 19001, 'assistant', 'main', 'm', 9, 8, 7, 6, 5, 4, 3, 2, 1)",
    ] {
        connection.execute_batch(script).unwrap();
    }
    drop(connection);
    let rows = open(&folder).consumed(&scope(), Day::FIRST, AT.into()).await.unwrap();
    let told: Vec<_> = rows.iter().map(|row| (row.day.number(), row.calls, row.usage.fresh, row.usage.cost)).collect();
    let cost = |nano_usd, unpriced_calls| Cost { nano_usd, unpriced_calls };
    assert_eq!(told, [(19000, 1, 2, cost(8, 9)), (19001, 9, 8, cost(2, 1))]);
}

#[tokio::test]
async fn a_migration_that_fails_leaves_the_database_in_its_schema() {
    let folder = tempdir().unwrap();
    let path = schema_1(folder.path());
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE api_keys (mine)").unwrap();
    let refused = SqliteStore::open(&SqliteOptions::at(&path)).err();
    assert!(matches!(refused, Some(OpenError::Store(StoreError::Unavailable(_)))), "{refused:?}");

    let connection = Connection::open(&path).unwrap();
    let count = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count("SELECT value FROM meta WHERE name = 'schema'"), 1);
    assert_eq!(count("SELECT count(*) FROM pragma_table_info('sessions') WHERE name = 'ephemeral'"), 0);
    connection.execute_batch("DROP TABLE api_keys").unwrap();
    drop(connection);
    let listed = open(&folder).list(&scope(), SessionPage { limit: 9, after: None }).await.unwrap();
    assert_eq!(listed.len(), 1);
}

/// Tables with their columns in order, and indexes with what they are over, whatever the order of these.
fn shape(connection: &Connection) -> Vec<(String, String)> {
    let columns = "SELECT t.name || '.' || c.name, concat_ws(' ', c.cid, c.type, c.'notnull', c.dflt_value, c.pk, l.wr, l.strict) \
                   FROM sqlite_schema t, pragma_table_info(t.name) c, pragma_table_list(t.name) l \
                   WHERE t.type = 'table' AND l.schema = 'main'";
    let indexes = "SELECT t.name || ' ' || i.origin || ' ' || group_concat(c.name), coalesce(x.sql, '') \
                   FROM sqlite_schema t, pragma_index_list(t.name) i, pragma_index_info(i.name) c \
                   LEFT JOIN sqlite_schema x ON x.name = i.name WHERE t.type = 'table' GROUP BY t.name, i.name";
    let mut select = connection.prepare(&format!("{columns} UNION ALL {indexes} ORDER BY 1")).unwrap();
    select.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().collect::<Result<_, _>>().unwrap()
}

#[test]
fn a_new_database_has_what_an_old_one_becomes() {
    let (old, new) = (tempdir().unwrap(), tempdir().unwrap());
    schema_1(old.path());
    let [old, new] = [old, new].map(|folder| {
        drop(open(&folder));
        shape(&Connection::open(folder.path().join("turnkit.db")).unwrap())
    });
    assert!(new.len() > 80, "only {}", new.len());
    assert_eq!(old, new);
}
