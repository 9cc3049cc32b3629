//! A durable record of the effects that tools had.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use turnkit_core::CallUid;

/// A file of tool effects, one per line, that outlives the process. It is the ground truth for "at most once".
///
/// [`record`](Self::record) appends a line with a single write and syncs the file before it returns. A process killed
/// at any moment therefore leaves complete lines only. Clones write to the same file.
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
    /// A description of the effect.
    pub what: String,
}

impl Ledger {
    /// Opens the ledger at `path`, and creates the file if it does not exist.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn open(path: impl Into<PathBuf>) -> io::Result<Self> {
        let path = path.into();
        let file = OpenOptions::new().create(true).append(true).open(&path)?;
        Ok(Self { file: Arc::new(file), path })
    }

    /// Records an effect durably. Blocks until it is on the disk.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn record(&self, uid: CallUid, what: &str) -> io::Result<()> {
        let mut line = serde_json::to_vec(&Effect { uid, what: what.to_owned() })?;
        line.push(b'\n');
        (&*self.file).write_all(&line)?;
        self.file.sync_data()
    }

    /// Reads all effects recorded so far, by this process or another.
    ///
    /// # Errors
    /// The file cannot be read, or contains a line that no ledger writes.
    pub fn effects(&self) -> io::Result<Vec<Effect>> {
        Self::read(&self.path)
    }

    /// Reads the effects in the file at `path`, oldest first.
    ///
    /// # Errors
    /// The file cannot be read, or contains a line that no ledger writes.
    pub fn read(path: &Path) -> io::Result<Vec<Effect>> {
        let text = std::fs::read_to_string(path)?;
        text.lines().map(|line| serde_json::from_str(line).map_err(io::Error::from)).collect()
    }

    /// Counts the effects of each call.
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
