//! Finds databases of this program in a folder.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::schema::APPLICATION_ID;

/// The most entries of a folder that are examined.
const MAX_ENTRIES: usize = 1_000;

/// The beginning of every SQLite file.
const MAGIC: &[u8] = b"SQLite format 3\0";
/// The length of the beginning of the file, up to and including the application's id.
const HEADER_BYTES: usize = 72;

/// Returns a database of this program in `folder`, the first one by its name. A file that cannot be read is none.
pub(super) fn in_folder(folder: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).ok()?.take(MAX_ENTRIES).filter_map(Result::ok);
    entries.map(|entry| entry.path()).filter(|path| is_database(path)).min()
}

fn is_database(path: &Path) -> bool {
    let is_file = fs::metadata(path).is_ok_and(|found| found.is_file());
    let mut header = [0; HEADER_BYTES];
    if !is_file || File::open(path).and_then(|mut file| file.read_exact(&mut header)).is_err() {
        return false;
    }
    let [.., first, second, third, fourth] = header;
    header.starts_with(MAGIC)
        && match i32::from_be_bytes([first, second, third, fourth]) {
            APPLICATION_ID => true,
            // A new database has its id in the log until the log is moved into the file.
            0 => has_log(path),
            _ => false,
        }
}

fn has_log(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    fs::metadata(Path::new(&log)).is_ok_and(|found| found.len() > 0)
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;
    use crate::{SqliteOptions, SqliteStore};

    /// Writes the beginning of an SQLite file with this application's id.
    fn write(path: &Path, application: i32) {
        let mut header = [0; 100];
        header[..MAGIC.len()].copy_from_slice(MAGIC);
        header[68..HEADER_BYTES].copy_from_slice(&application.to_be_bytes());
        fs::write(path, header).unwrap();
    }

    #[test]
    fn a_database_is_found_by_its_id_or_by_the_log_of_a_new_one() {
        for (application, log, is_found) in [
            (APPLICATION_ID, None, true),
            (0, None, false),
            (0, Some(""), false),
            (0, Some("log"), true),
            (7, None, false),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("app.db");
            write(&path, application);
            if let Some(log) = log {
                fs::write(folder.path().join("app.db-wal"), log).unwrap();
            }
            assert_eq!(in_folder(folder.path()), is_found.then_some(path), "{application} {log:?}");
        }
    }

    #[test]
    fn other_files_and_databases_of_other_programs_are_none() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a.db"), "no database").unwrap();
        fs::create_dir(at("b.db")).unwrap();
        Connection::open(at("c.db")).unwrap().execute_batch("CREATE TABLE t (c)").unwrap();
        assert_eq!((in_folder(folder.path()), in_folder(&at("missing"))), (None, None));
        drop(SqliteStore::open(&SqliteOptions::at(at("d.sqlite"))).unwrap());
        assert_eq!(in_folder(folder.path()), Some(at("d.sqlite")));
    }
}
