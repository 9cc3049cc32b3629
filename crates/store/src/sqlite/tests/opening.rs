use std::fs;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};
use tempfile::tempdir;
use turnkit_core::ports::{SessionPage, SessionStore as _};

use super::super::open::{check_version, check_writable};
use super::super::{OpenError, SqliteOptions, UrlError};
use super::*;

fn refusal(path: &Path) -> StoreError {
    let before = fs::read(path).unwrap();
    let error = SqliteStore::open(&SqliteOptions::at(path)).err();
    assert_eq!(fs::read(path).unwrap(), before, "the file was changed");
    match error {
        Some(OpenError::Store(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_damaged_file_is_named_and_left_as_it_is() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("turnkit.db");
    let store = open(&folder);
    start(&store, 1).await.unwrap();
    drop(store);
    let whole = fs::read(&path).unwrap();

    let zeroed = vec![0; whole.len()];
    let cut = whole[..whole.len() / 2].to_vec();
    let mut scrambled = whole.clone();
    scrambled[100..4096].fill(0xA5);
    for damaged in [zeroed, cut, scrambled, b"this is a letter, not a database".repeat(200)] {
        fs::write(&path, &damaged).unwrap();
        let StoreError::Corrupt(what) = refusal(&path) else { panic!("not corrupt") };
        assert!(what.contains("turnkit.db") && what.contains("backup"), "{what}");
    }
    fs::write(&path, &whole).unwrap();
    assert_eq!(
        open(&folder)
            .list(&scope(), SessionPage { limit: 9, after: None, archived: None })
            .await
            .unwrap()
            .sessions
            .len(),
        1
    );
}

#[test]
fn a_database_of_another_program_is_not_touched() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("photos.db");
    Connection::open(&path)
        .unwrap()
        .execute_batch("CREATE TABLE photos (id); CREATE TABLE meta (name, value);")
        .unwrap();
    let StoreError::Corrupt(what) = refusal(&path) else { panic!("not corrupt") };
    assert!(what.contains("another program"), "{what}");
}

#[test]
fn an_empty_file_with_a_log_is_not_opened_as_a_new_database() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("turnkit.db");
    fs::write(&path, b"").unwrap();
    fs::write(folder.path().join("turnkit.db-wal"), b"all that is left").unwrap();
    assert!(matches!(refusal(&path), StoreError::Corrupt(_)));
    assert_eq!(fs::read(folder.path().join("turnkit.db-wal")).unwrap(), b"all that is left");

    fs::remove_file(folder.path().join("turnkit.db-wal")).unwrap();
    drop(open(&folder));
}

#[test]
fn a_file_that_cannot_be_written_is_refused() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("turnkit.db");
    drop(open(&folder));
    let read_only = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    assert!(
        matches!(check_writable(&read_only, &path), Err(StoreError::ReadOnly(what)) if what.contains("turnkit.db"))
    );
}

#[test]
fn only_an_sqlite_that_keeps_committed_data_is_used() {
    let cases = [(3_050_002, false), (3_051_002, false), (3_051_003, true), (3_052_000, false), (3_053_000, true)];
    for (linked, fit) in cases {
        assert_eq!(check_version(linked).is_ok(), fit, "{linked}");
    }
    check_version(rusqlite::version_number()).unwrap();
}

#[test]
fn an_invalid_store_url_is_explained() {
    let cases = [
        ("postgres://host/db", "must begin with sqlite:"),
        ("sqlite:", "must name a file"),
        ("sqlite::memory:", "must name a file"),
        ("sqlite:a.db?synchronous=off", "synchronous is neither full nor normal"),
        ("sqlite:a.db?cache=1", "unknown parameter"),
    ];
    for (url, reason) in cases {
        assert_eq!(url.parse::<SqliteOptions>(), Err(UrlError { url: url.to_owned(), reason }));
    }
    let parsed: SqliteOptions = "sqlite:data/a b.db".parse().unwrap();
    assert_eq!(parsed.relative_to(Path::new("/srv")).path(), Path::new("/srv/data/a b.db"));
}
