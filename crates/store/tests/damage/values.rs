//! One damaged value.

use std::collections::BTreeSet;

use rusqlite::Connection;
use turnkit_core::StoreError;
use turnkit_store::OpenError;

use crate::calls::{Answers, everything, read};
use crate::subject::{Subject, sound, turn};

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

/// The row to be damaged: of the turn that runs, unless only another one has the column set.
fn row(vector: &Vector) -> &'static str {
    match (vector.table, vector.column) {
        ("meta", _) => "name = 'schema'",
        ("sessions" | "api_keys", _) => "key = 1",
        ("turns", "input") => "key = 3",
        ("turns", "ended_at" | "fresh" | "cache_read" | "cache_write" | "output" | "reasoning") => "key = 1",
        ("turns", "unmetered_calls" | "nano_usd" | "unpriced_calls") => "key = 1",
        ("usage", _) => "user = 'ada'",
        ("turns", _) => "key = 2",
        ("messages", _) => "turn = 2 AND ord = 0",
        ("events", _) => "turn = 2 AND from_seq = 1",
        ("tool_calls", _) => "turn = 2",
        ("idem_keys", _) => "key = '2'",
        (table, _) => panic!("which row of {table}?"),
    }
}

fn damage(subject: &Subject, vector: &Vector) {
    let sql = format!("UPDATE {} SET {} = {} WHERE {}", vector.table, vector.column, vector.value, row(vector));
    assert_eq!(Connection::open(subject.path()).unwrap().execute(&sql, []), Ok(1), "{sql}");
}

fn told(answers: &Answers) -> BTreeSet<&'static str> {
    let told = answers.iter().filter(|(_, error)| matches!(error, Some(StoreError::Corrupt(_))));
    told.map(|(call, _)| *call).collect()
}

#[tokio::test]
async fn a_damaged_value_is_told_to_whoever_reads_it_and_harms_no_other() {
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
        let told = told(&answers);
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
async fn there_is_a_vector_for_every_column() {
    let subject = Subject::new().await;
    let connection = Connection::open(subject.path()).unwrap();
    let mut columns = connection
        .prepare(
            "SELECT t.name || '.' || c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'",
        )
        .unwrap();
    let columns: BTreeSet<String> = columns.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let known: BTreeSet<String> = vectors().map(|vector| format!("{}.{}", vector.table, vector.column)).collect();
    assert_eq!(columns, known);
}
