//! Tests of single damaged values.

use std::collections::BTreeSet;

use rusqlite::Connection;
use turnkit_core::ports::{NewSession, SessionPage, SessionStore as _, TurnStore as _};
use turnkit_core::{SamplingParams, StopReason, StoreError, ToolUse};
use turnkit_store::{OpenError, SqliteOptions, SqliteStore};

use crate::calls::{Answers, everything, read};
use crate::subject::{AT, Subject, damaged, session, sound, turn};

const VECTORS: &str = include_str!("../vectors/damage.txt");

struct Vector {
    line: &'static str,
    table: &'static str,
    column: &'static str,
    value: &'static str,
    told: Vec<&'static str>,
}

fn vectors() -> impl Iterator<Item = Vector> {
    let lines = VECTORS.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| {
        let fields: Vec<_> = line.split('|').map(str::trim).collect();
        let &[place, value, told] = &fields[..] else { panic!("not three fields: {line}") };
        let (table, column) = place.split_once('.').unwrap();
        Vector { line, table, column, value, told: told.split(' ').filter(|call| *call != "-").collect() }
    })
}

/// Selects the row to be damaged: that of the running turn, unless only another one has the column set.
fn row(vector: &Vector) -> &'static str {
    match (vector.table, vector.column) {
        ("meta", _) => "name = 'schema'",
        ("sessions" | "api_keys" | "blobs" | "grants", _) => "key = 1",
        ("turn_blobs", _) => "turn = 1",
        ("turns", "input") => "key = 3",
        ("turns", "ended_at" | "fresh" | "cache_read" | "cache_write" | "output" | "reasoning") => "key = 1",
        ("turns", "unmetered_calls" | "nano_usd" | "unpriced_calls") => "key = 1",
        ("usage", _) => "user = 'ada'",
        ("turns", _) => "key = 2",
        ("messages", _) => "turn = 2 AND ord = 0",
        ("events", _) => "turn = 2 AND from_seq = 1",
        ("waits", _) => "turn = 2 AND ordinal = 0",
        ("tool_calls" | "partials", _) => "turn = 2",
        ("tool_pins", _) => "tool = 'bank__pay'",
        ("idem_keys", _) => "key = '2'",
        (table, _) => panic!("which row of {table}?"),
    }
}

fn damage(subject: &Subject, vector: &Vector) {
    let sql = format!("UPDATE {} SET {} = {} WHERE {}", vector.table, vector.column, vector.value, row(vector));
    assert_eq!(Connection::open(subject.path()).unwrap().execute(&sql, []), Ok(1), "{sql}");
}

fn corrupt_calls(answers: &Answers) -> BTreeSet<&'static str> {
    let told = answers.iter().filter(|(_, error)| matches!(error, Some(StoreError::Corrupt(_))));
    told.map(|(call, _)| *call).collect()
}

#[tokio::test]
async fn a_damaged_value_is_reported_to_its_reader_and_affects_no_other() {
    let (mut wrong, whole) = (Vec::new(), Subject::new().await);
    for vector in vectors() {
        let subject = whole.copy();
        damage(&subject, &vector);
        let store = match subject.open() {
            Ok(store) => store,
            Err(OpenError::Store(StoreError::Corrupt(_))) if vector.told == ["open"] => continue,
            Err(error) => {
                wrong.push(format!("{}\n    open: {error:?}", vector.line));
                continue;
            }
        };
        let answers = everything(&store).await;
        let unavailable = answers.iter().filter(|(_, error)| matches!(error, Some(StoreError::Unavailable(_))));
        wrong.extend(unavailable.map(|answer| format!("{}\n    {answer:?}", vector.line)));
        let told = corrupt_calls(&answers);
        let silent: Vec<_> = vector.told.iter().filter(|call| !told.contains(*call)).collect();
        if !silent.is_empty() {
            wrong.push(format!("{}\n    silent: {silent:?}, told: {told:?}", vector.line));
        }
        let (scope, id) = sound();
        let harmed = read(&store, &scope, id, &[turn(4)]).await;
        let harmed = harmed.into_iter().filter(|(call, error)| {
            error.is_some() && !(*call == "keys" && vector.table == "api_keys") && *call != "session_named"
        });
        wrong.extend(harmed.map(|answer| format!("{}\n    harmed: {answer:?}", vector.line)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn a_turn_continues_without_the_damaged_parts_of_an_incomplete_answer() {
    let whole = Subject::new().await;
    for vector in vectors().filter(|vector| vector.table == "partials") {
        let subject = whole.copy();
        damage(&subject, &vector);
        let answers = everything(&subject.open().unwrap()).await;
        for call in ["claim", "load", "history", "save_partial", "checkpoint"] {
            assert!(answers.contains(&(call, None)), "{}: {call}", vector.line);
        }
        let left = "SELECT count(*) FROM partials WHERE turn = 2";
        let left: u32 = Connection::open(subject.path()).unwrap().query_row(left, [], |row| row.get(0)).unwrap();
        assert_eq!(left, 0, "{}", vector.line);
    }
}

#[tokio::test]
async fn a_damaged_session_is_named_beside_the_others_and_can_be_removed() {
    let whole = Subject::new().await;
    let (scope, id) = damaged();
    for vector in vectors().filter(|vector| vector.table == "sessions" && vector.told.contains(&"list")) {
        let subject = whole.copy();
        let store = subject.open().unwrap();
        let title = NewSession {
            id: session(20),
            name: None,
            agent: "assistant".into(),
            title: "another".into(),
            metadata: serde_json::Map::new(),
            prompt: None,
            params: SamplingParams::default(),
            tools: ToolUse::Auto,
            mode: None,
            at: AT,
        };
        store.create(&scope, title).await.unwrap();
        drop(store);
        damage(&subject, &vector);
        let store = subject.open().unwrap();
        let page = SessionPage { limit: 1, after: None, archived: None };
        let list = store.list(&scope, SessionPage { limit: 9, ..page }).await.unwrap();
        assert_eq!(list.sessions.iter().map(|one| one.id).collect::<Vec<_>>(), [session(20)], "{}", vector.line);
        let name = if vector.column == "id" { "in row 1".to_owned() } else { id.to_string() };
        assert_eq!(list.unreadable, std::slice::from_ref(&name), "{}", vector.line);
        assert_eq!(store.list(&scope, page).await.unwrap().sessions.len(), 1, "{}", vector.line);

        let examined = SqliteStore::examine(&SqliteOptions::at(subject.path())).unwrap();
        assert!(examined.damage.iter().any(|what| what.contains(&name)), "{}: {examined:?}", vector.line);

        if vector.column != "id" {
            store.request_stop(&scope, turn(3), StopReason::Cancelled, AT).await.unwrap();
            drop(store);
            end_turn_2(&subject);
            let store = subject.open().unwrap();
            store.delete(&scope, id).await.unwrap();
            let left = store.list(&scope, SessionPage { limit: 9, ..page }).await.unwrap();
            assert_eq!((left.sessions.len(), left.unreadable.len()), (1, 0), "{}", vector.line);
            assert_eq!(SqliteStore::examine(&SqliteOptions::at(subject.path())).unwrap().damage, [""; 0]);
        }
    }
}

fn end_turn_2(subject: &Subject) {
    let sql = "UPDATE turns SET state = 'failed', ended_at = 1 WHERE key = 2";
    assert_eq!(Connection::open(subject.path()).unwrap().execute(sql, []), Ok(1));
}

#[tokio::test]
async fn an_examination_finds_unreadable_values() {
    let whole = Subject::new().await;
    for vector in vectors() {
        let rows = matches!(vector.table, "sessions" | "turns" | "messages" | "events" | "waits" | "api_keys");
        let calls = ["list", "turns", "messages", "log", "waits", "keys"];
        let by_others = ["key", "session", "turn", "number", "after", "ord", "first_message", "messages", "fence"];
        let by_others =
            by_others.contains(&vector.column) || vector.column.ends_with("_seq") || vector.column == "head";
        if !rows || by_others || !vector.told.iter().any(|call| calls.contains(call)) {
            continue;
        }
        let subject = whole.copy();
        damage(&subject, &vector);
        let examined = SqliteStore::examine(&SqliteOptions::at(subject.path())).unwrap();
        assert!(!examined.damage.is_empty(), "{}", vector.line);
    }
    let sound = SqliteStore::examine(&SqliteOptions::at(whole.path())).unwrap();
    assert_eq!(sound.damage, [""; 0]);
}

#[tokio::test]
async fn there_is_a_vector_for_every_column() {
    let subject = Subject::new().await;
    let connection = Connection::open(subject.path()).unwrap();
    let mut columns = connection
        .prepare(
            // The search index is derived from the other tables.
            "SELECT t.name || '.' || c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' \
             AND t.name NOT LIKE 'words%' AND t.name <> 'unsearched'",
        )
        .unwrap();
    let columns: BTreeSet<String> = columns.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let known: BTreeSet<String> = vectors().map(|vector| format!("{}.{}", vector.table, vector.column)).collect();
    assert_eq!(columns, known);
}
