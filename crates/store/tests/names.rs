//! Tests that a file with several names is used under its own name, and by one process.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a failed expectation is how a test speaks")]

use std::fs;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::Path;

use turnkit_store::{DataDirectory, LocalServer, OpenError, SqliteOptions, SqliteStore};

#[test]
fn symbolic_links_lead_to_the_file_itself_whether_it_is_there_or_not() {
    for is_there in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let (data, links) = (folder.path().join("data"), folder.path().join("links"));
        fs::create_dir(&data).unwrap();
        fs::create_dir(&links).unwrap();
        let file = data.join("turnkit.db");
        if is_there {
            drop(SqliteStore::open(&SqliteOptions::at(&file)).unwrap());
        }
        symlink("../data/turnkit.db", links.join("relative")).unwrap();
        symlink(links.join("relative"), links.join("absolute")).unwrap();
        symlink("round", links.join("round")).unwrap();
        for name in ["relative", "absolute"] {
            let found = SqliteOptions::at(links.join(name)).resolved().unwrap();
            let folder = found.path().parent().unwrap();
            assert_eq!(folder.canonicalize().unwrap(), data.canonicalize().unwrap(), "{name}");
            assert_eq!(found.path().file_name(), file.file_name(), "{name}");
        }
        assert!(SqliteOptions::at(links.join("round")).resolved().is_err());
        assert_eq!(SqliteOptions::at(&file).resolved().unwrap().path(), file);

        let store = SqliteStore::open(&SqliteOptions::at(links.join("absolute"))).unwrap();
        assert!(data.join("turnkit.db-wal").exists(), "{is_there}");
        drop(store);
        assert_eq!(fs::read_dir(&links).unwrap().count(), 3);
    }
}

#[test]
fn a_file_that_has_another_name_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let (file, other) = (folder.path().join("turnkit.db"), folder.path().join("other.db"));
    drop(SqliteStore::open(&SqliteOptions::at(&file)).unwrap());
    fs::hard_link(&file, &other).unwrap();
    let before = fs::read(&file).unwrap();
    for path in [&file, &other] {
        let refused = SqliteStore::open(&SqliteOptions::at(path)).unwrap_err();
        assert_eq!(refused, OpenError::HardLinked { path: path.clone(), names: 2 });
        assert!(refused.to_string().contains("has 2 names (hard links)"), "{refused}");
    }
    assert_eq!(fs::read(&file).unwrap(), before);
    fs::remove_file(&other).unwrap();
    SqliteStore::open(&SqliteOptions::at(&file)).unwrap();
}

/// Returns the locks that this process holds on a file, one per line.
///
/// They are read from its descriptors: `/proc/locks` leaves lines out while other processes lock.
#[cfg(target_os = "linux")]
fn locks_on(path: &Path) -> Vec<String> {
    let inode = format!(":{} ", fs::metadata(path).unwrap().ino());
    let descriptors = fs::read_dir("/proc/self/fdinfo").unwrap();
    // Another test may close a descriptor meanwhile.
    let read = descriptors.filter_map(|entry| fs::read_to_string(entry.ok()?.path()).ok());
    let mut locks: Vec<String> = read
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .filter(|line| line.starts_with("lock:") && line.contains(&inode))
        .collect();
    locks.sort();
    locks
}

/// Closing any descriptor of a file drops all POSIX locks of the process on it.
#[cfg(target_os = "linux")]
#[test]
fn no_operation_on_an_open_database_releases_its_locks() {
    let folder = tempfile::tempdir().unwrap();
    let options = SqliteOptions::at(folder.path().join("turnkit.db"));
    let directory = DataDirectory::lock(folder.path()).unwrap();
    let store = SqliteStore::open(&options).unwrap();
    let held = locks_on(options.path());
    assert!(!held.is_empty());
    SqliteStore::examine(&options).unwrap();
    assert!(DataDirectory::lock(folder.path()).is_err());
    let server = LocalServer { url: "http://127.0.0.1:1".to_owned(), token: "hidden".to_owned() };
    directory.announce(&server).unwrap();
    options.clone().resolved().unwrap();
    assert_eq!(locks_on(options.path()), held);
    drop(store);
}
