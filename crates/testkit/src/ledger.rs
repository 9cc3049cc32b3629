//! What really happened.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use turnkit_core::CallUid;

/// Effects in the world, one line each, in a file that outlives the process: the ground truth for "at most once".
///
/// A line is written by one appending write and synced before [`record`](Self::record) returns, so that a process
/// killed at any moment leaves whole lines only. Clones write to the same file.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// use turnkit_core::{CallUid, TurnId};
/// use turnkit_testkit::Ledger;
///
/// let ledger = Ledger::open(folder.path().join("ledger")).unwrap();
/// let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: 0 };
/// ledger.record(uid, "paid 5").unwrap();
/// assert_eq!(ledger.counts().unwrap(), [(uid, 1)].into());
/// ```
#[derive(Debug, Clone)]
pub struct Ledger {
    file: Arc<File>,
    path: PathBuf,
}

/// One effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effect {
    /// The call that caused it.
    pub uid: CallUid,
    /// What it was.
    pub what: String,
}

impl Ledger {
    /// Opens the ledger at `path`, which is made if it is not there.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn open(path: impl Into<PathBuf>) -> io::Result<Self> {
        let path = path.into();
        let file = OpenOptions::new().create(true).append(true).open(&path)?;
        Ok(Self { file: Arc::new(file), path })
    }

    /// Writes an effect down for good. Blocks until it is on the disk.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn record(&self, uid: CallUid, what: &str) -> io::Result<()> {
        let mut line = serde_json::to_vec(&Effect { uid, what: what.to_owned() })?;
        line.push(b'\n');
        (&*self.file).write_all(&line)?;
        self.file.sync_data()
    }

    /// Everything written so far, by this process or another.
    ///
    /// # Errors
    /// The file cannot be read, or holds a line no ledger writes.
    pub fn effects(&self) -> io::Result<Vec<Effect>> {
        Self::read(&self.path)
    }

    /// The effects in the file at `path`, oldest first.
    ///
    /// # Errors
    /// The file cannot be read, or holds a line no ledger writes.
    pub fn read(path: &Path) -> io::Result<Vec<Effect>> {
        let text = std::fs::read_to_string(path)?;
        text.lines().map(|line| serde_json::from_str(line).map_err(io::Error::from)).collect()
    }

    /// How many effects each call had.
    ///
    /// # Errors
    /// As [`effects`](Self::effects).
    pub fn counts(&self) -> io::Result<BTreeMap<CallUid, usize>> {
        let mut counts = BTreeMap::new();
        for effect in self.effects()? {
            *counts.entry(effect.uid).or_default() += 1;
        }
        Ok(counts)
    }
}
