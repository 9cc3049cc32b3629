//! The recordings of one turn.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use serde_json::Value;
use turnkit_core::ports::CallContext;
use turnkit_core::{ProviderError, ProviderErrorKind, TurnId};

use super::difference::first_difference;
use super::exchange::{Exchange, VERSION};
use super::writer::wire_folder;
use crate::retry_after::retry_after;
use crate::wire::{ErrorResponse, Wire};

/// The file with the metadata of an exchange.
pub(super) const METADATA: &str = "exchange.json";
/// The file with the body of its request.
pub(super) const REQUEST: &str = "request.json";

/// The recorded exchanges of one turn, and the differences found during a replay.
#[derive(Debug, Default)]
pub struct Recordings {
    /// By step and attempt, in the order they were made.
    attempts: BTreeMap<(u16, u16), Vec<Recorded>>,
    differences: Mutex<ReplayDifferences>,
}

/// One exchange with its bodies.
#[derive(Debug, Clone)]
pub(crate) struct Recorded {
    pub(crate) exchange: Exchange,
    request: Bytes,
    pub(super) response: Bytes,
}

/// Differences between a replay and its recordings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReplayDifferences {
    /// Steps and attempts without a recording.
    pub missing: BTreeSet<(u16, u16)>,
    /// Steps and attempts whose request differs from the recorded one, with the first difference as a JSON pointer.
    pub requests: BTreeMap<(u16, u16), String>,
}

/// Error of reading recordings.
#[derive(Debug, thiserror::Error)]
pub enum RecordingsError {
    /// A folder or file cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The folder or file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// `exchange.json` is invalid.
    #[error("{}: {reason}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong with the file.
        reason: String,
    },
}

impl Recordings {
    /// Reads the recordings of `turn` in `folder`.
    ///
    /// # Errors
    /// Names the folder or file that cannot be read, or that is invalid.
    pub fn read(folder: &Path, turn: TurnId) -> Result<Self, RecordingsError> {
        let mut cases = cases(folder)?;
        cases.retain(|case| turn_of(name_of(case)) == Some(turn));
        let number = |case: &PathBuf| name_of(case).rsplit('-').next().and_then(|number| number.parse::<u32>().ok());
        cases.sort_by_key(number);
        let mut attempts: BTreeMap<(u16, u16), Vec<Recorded>> = BTreeMap::new();
        for case in cases {
            let recorded = Recorded::read(&case)?;
            attempts.entry((recorded.exchange.step, recorded.exchange.attempt)).or_default().push(recorded);
        }
        Ok(Self { attempts, differences: Mutex::default() })
    }

    /// Returns the turns of which exchanges are recorded in `folder`, in the order of their ids: by the millisecond in
    /// which they were created.
    ///
    /// # Errors
    /// Names the folder that cannot be read.
    pub fn turns(folder: &Path) -> Result<Vec<TurnId>, RecordingsError> {
        let turns: BTreeSet<TurnId> = cases(folder)?.iter().filter_map(|case| turn_of(name_of(case))).collect();
        Ok(turns.into_iter().collect())
    }

    /// Reports whether the turn has no recordings.
    pub fn is_empty(&self) -> bool {
        self.attempts.is_empty()
    }

    /// Returns the differences found so far.
    pub fn differences(&self) -> ReplayDifferences {
        self.lock().clone()
    }

    /// Returns the exchanges of each step and attempt, grouped by consecutive exchanges with one provider. The last
    /// exchange of a group is the final one; the others were earlier tries of the same call.
    pub(crate) fn attempts(&self) -> impl Iterator<Item = ((u16, u16), impl Iterator<Item = &[Recorded]>)> {
        self.attempts.iter().map(|(place, exchanges)| {
            let of_one_provider = |one: &Recorded, next: &Recorded| one.exchange.provider == next.exchange.provider;
            (*place, exchanges.chunk_by(of_one_provider))
        })
    }

    /// Records that a call has no recording, and returns its error.
    pub(crate) fn missing(&self, call: &CallContext) -> ProviderError {
        self.lock().missing.insert((call.step, call.attempt));
        let message = format!("nothing is recorded of step {}, attempt {}", call.step, call.attempt);
        ProviderError::new(ProviderErrorKind::Network, message)
    }

    /// Compares the request of the replay with the recorded one.
    pub(crate) fn compare(&self, recorded: &Recorded, request: &[u8]) {
        if recorded.request == request {
            return;
        }
        let read = |body: &[u8]| serde_json::from_slice::<Value>(body).unwrap_or_default();
        if let Some(at) = first_difference(&read(&recorded.request), &read(request)) {
            let Exchange { step, attempt, .. } = recorded.exchange;
            self.lock().requests.entry((step, attempt)).or_insert(at);
        }
    }

    fn lock(&self) -> MutexGuard<'_, ReplayDifferences> {
        self.differences.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Recorded {
    /// Returns the kind of failure that the status stands for, if it is not a success.
    pub(crate) fn refusal(&self) -> Option<ProviderErrorKind> {
        let status = self.exchange.status.filter(|status| !(200..300).contains(status))?;
        let retry_after = retry_after(|name| self.exchange.headers.get(name).map(String::as_str));
        let refused = ErrorResponse { status, retry_after, body: &self.response };
        Some(self.exchange.api.classify(&refused).kind)
    }

    fn read(folder: &Path) -> Result<Self, RecordingsError> {
        let exchange = exchange(folder)?;
        let response = match &exchange.body {
            None => Bytes::new(),
            Some(name) => read(&folder.join(name))?.into(),
        };
        Ok(Self { request: read(&folder.join(REQUEST))?.into(), response, exchange })
    }
}

/// Reads the metadata of the exchange in `folder`. Its body is a file in the same folder.
pub(super) fn exchange(folder: &Path) -> Result<Exchange, RecordingsError> {
    let path = folder.join(METADATA);
    let malformed = |reason: String| RecordingsError::Malformed { path: path.clone(), reason };
    let exchange: Exchange = serde_json::from_slice(&read(&path)?).map_err(|error| malformed(error.to_string()))?;
    if exchange.version != VERSION {
        let why = format!("version {} of a recording, this version reads {VERSION}", exchange.version);
        return Err(malformed(why));
    }
    match exchange.body.as_deref() {
        Some(name) if Path::new(name).file_name().is_none_or(|file| file != name) => {
            Err(malformed(format!("body: {name:?} is not the name of a file beside it")))
        }
        _ => Ok(exchange),
    }
}

/// Returns the folders of all exchanges, over every wire.
pub(super) fn cases(folder: &Path) -> Result<Vec<PathBuf>, RecordingsError> {
    // Fails with a clear error if the folder does not exist.
    list(folder)?;
    let mut cases = Vec::new();
    for wire in Wire::ALL {
        let folder = folder.join(wire_folder(wire));
        if folder.is_dir() {
            cases.extend(list(&folder)?);
        }
    }
    Ok(cases)
}

/// Returns the turn of a folder named `TURN-STEP-ATTEMPT-NUMBER`.
pub(super) fn turn_of(name: &str) -> Option<TurnId> {
    name.rsplitn(4, '-').nth(3)?.parse().ok()
}

pub(super) fn name_of(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

fn list(folder: &Path) -> Result<Vec<PathBuf>, RecordingsError> {
    let unreadable = |source| RecordingsError::Unreadable { path: folder.to_owned(), source };
    fs::read_dir(folder).map_err(unreadable)?.map(|entry| Ok(entry.map_err(unreadable)?.path())).collect()
}

fn read(path: &Path) -> Result<Vec<u8>, RecordingsError> {
    fs::read(path).map_err(|source| RecordingsError::Unreadable { path: path.to_owned(), source })
}
