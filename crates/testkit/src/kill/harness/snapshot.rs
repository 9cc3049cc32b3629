//! The contents of the data directory after the death of the host.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use bytes::BytesMut;
use futures_util::TryStreamExt as _;
use rusqlite::Connection;
use turnkit_core::ports::{BlobStore as _, SessionStore as _, TurnStore as _, WaitPage};
use turnkit_core::{
    LoggedTurn, Message, Part, Scope, SessionName, StoreError, TurnId, TurnState, Wait, WaitId, WaitKind,
};
use turnkit_store::{SqliteOptions, SqliteStore};

use crate::kill::Task;
use crate::kill::host::{DATABASE, Question};

/// The folder of uploaded files beside the database.
const BLOBS: &str = "turnkit.blobs";
/// SQLite's write-ahead log beside the database.
const WRITE_AHEAD_LOG: &str = "turnkit.db-wal";

/// The page size for reading waits.
const WAITS_OF_A_PAGE: u32 = 200;

/// A copy of the database as a death left it. Opening the original would repair it before its next host does.
#[derive(Debug)]
pub(super) struct Snapshot {
    folder: PathBuf,
    /// The number of questions that the model had been asked.
    pub(super) questions: usize,
}

/// The parts of a snapshot that concern the client.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// The result of SQLite's integrity check: `ok`, or a description of the damage.
    pub(super) integrity: String,
    pub(super) turns: BTreeMap<TurnId, Stored>,
    pub(super) sessions: BTreeMap<String, Vec<Message>>,
    /// What the turns wait or waited for.
    pub(super) waits: BTreeMap<WaitId, Wait>,
    /// Files that turns name and that are missing or incomplete.
    pub(super) broken_files: Vec<String>,
}

/// A turn as it is stored.
#[derive(Debug)]
pub(super) struct Stored {
    pub(super) state: TurnState,
    pub(super) log: LoggedTurn,
}

impl Snapshot {
    /// Copies the contents of `directory` to `folder`, which is created.
    pub(super) fn take(directory: &Path, folder: PathBuf, questions: &Path) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        for name in [DATABASE, WRITE_AHEAD_LOG] {
            let from = directory.join(name);
            if from.exists() {
                fs::copy(from, folder.join(name))?;
            }
        }
        copy_folder(&directory.join(BLOBS), &folder.join(BLOBS))?;
        let questions = if questions.exists() { Question::read(questions)?.len() } else { 0 };
        Ok(Self { folder, questions })
    }

    /// Reads the turns that the client knows, their sessions, the sessions in `sessions`, and all waits. Missing turns
    /// and sessions are left out.
    pub(super) async fn read(
        &self,
        turns: impl IntoIterator<Item = TurnId>,
        sessions: impl IntoIterator<Item = &str>,
    ) -> io::Result<Contents> {
        let path = self.folder.join(DATABASE);
        let integrity = integrity(&path).unwrap_or_else(|error| error.to_string());
        let store = SqliteStore::open(&SqliteOptions::at(&path)).map_err(io::Error::other)?;
        let scope = Scope::local();
        let mut contents = Contents { integrity, waits: waits(&store, &scope).await?, ..Contents::default() };
        let mut read = BTreeSet::new();
        for turn in turns {
            let Some(record) = found(store.turn(&scope, turn).await)? else { continue };
            let Some(log) = found(store.log(&scope, turn).await)? else { continue };
            if let Some(broken) = broken_file(&store, &scope, &log).await {
                contents.broken_files.push(format!("turn {turn}: {broken}"));
            }
            contents.turns.insert(turn, Stored { state: record.state, log });
        }
        for session in sessions {
            let name: SessionName = session.parse().map_err(io::Error::other)?;
            let Some(found_session) = found(store.session_named(&scope, &name).await)? else { continue };
            let messages = store.messages(&scope, found_session.id).await.map_err(io::Error::other)?;
            contents.sessions.insert(session.to_owned(), messages);
            read.insert(found_session.id);
        }
        for session in contents.turns.values().map(|turn| turn.log.session) {
            if read.insert(session) {
                let messages = store.messages(&scope, session).await.map_err(io::Error::other)?;
                contents.sessions.insert(session.to_string(), messages);
            }
        }
        Ok(contents)
    }
}

impl Contents {
    /// Returns the waits that people are to decide.
    pub(super) fn pending(&self) -> impl Iterator<Item = WaitId> {
        let pending = |wait: &&Wait| wait.decided.is_none() && wait.kind != WaitKind::Child;
        self.waits.values().filter(pending).map(|wait| wait.id)
    }
}

/// Reads all waits, decided or not.
async fn waits(store: &SqliteStore, scope: &Scope) -> io::Result<BTreeMap<WaitId, Wait>> {
    let mut waits = BTreeMap::new();
    let mut page =
        WaitPage { session: None, turn: None, below: false, pending: false, limit: WAITS_OF_A_PAGE, after: None };
    loop {
        let list = store.waits(scope, page).await.map_err(io::Error::other)?;
        waits.extend(list.waits.into_iter().map(|wait| (wait.id, wait)));
        match list.next {
            Some(next) => page.after = Some(next),
            None => return Ok(waits),
        }
    }
}

/// Returns what is wrong with the picture that the turn's message names, if it names one.
async fn broken_file(store: &SqliteStore, scope: &Scope, log: &LoggedTurn) -> Option<String> {
    let message = log.messages.first()?.message();
    let blob = message.parts.iter().flat_map(Part::blobs).next()?;
    let read = async { store.open(scope, blob).await?.content.try_collect::<BytesMut>().await };
    match (read.await, Task::from_message(message).and_then(|task| task.picture())) {
        (Ok(content), Some(picture)) => (content != picture).then(|| format!("file {blob} is another")),
        (Ok(_), None) => Some(format!("file {blob} was not sent")),
        (Err(error), _) => Some(format!("file {blob}: {error}")),
    }
}

/// Copies a folder with its contents, if it exists.
fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    if !from.exists() {
        return Ok(());
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}

fn integrity(path: &Path) -> rusqlite::Result<String> {
    Connection::open(path)?.query_row("PRAGMA integrity_check", [], |row| row.get(0))
}

fn found<T>(read: Result<T, StoreError>) -> io::Result<Option<T>> {
    match read {
        Ok(value) => Ok(Some(value)),
        Err(StoreError::NotFound) => Ok(None),
        Err(error) => Err(io::Error::other(error)),
    }
}
