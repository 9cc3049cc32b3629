//! Tracks whether writes succeed, as observed by the writing thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;
use turnkit_core::StoreError;

use super::failure::Failure;

/// The size of a trial write, in bytes. It is larger than a turn of usual size, so that a disk with space for only a
/// few pages does not pass.
const TRIAL_BYTES: usize = 256 * 1024;

/// The failure of the last write. It is kept until a write succeeds.
#[derive(Debug, Default)]
pub(super) struct WriteHealth {
    /// Read at each commit, so that commits of a healthy store take no lock.
    failing: AtomicBool,
    failure: Mutex<Option<StoreError>>,
    /// Whether a trial is in progress.
    trying: AtomicBool,
}

impl WriteHealth {
    /// Records that a write failed.
    pub(super) fn failed(&self, error: StoreError) {
        *self.lock() = Some(error);
        self.failing.store(true, Ordering::Release);
    }

    /// Records that a write is durable.
    pub(super) fn succeeded(&self) {
        if self.failing.load(Ordering::Acquire) {
            *self.lock() = None;
            self.failing.store(false, Ordering::Release);
        }
    }

    /// Returns the failure of the last write, if it failed.
    pub(super) fn failure(&self) -> Option<StoreError> {
        if self.failing.load(Ordering::Acquire) { self.lock().clone() } else { None }
    }

    /// Starts a trial, unless another one is in progress.
    pub(super) fn begin_trial(&self) -> Option<Trial<'_>> {
        (!self.trying.swap(true, Ordering::AcqRel)).then_some(Trial(self))
    }

    fn lock(&self) -> MutexGuard<'_, Option<StoreError>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A trial that is in progress until this value is dropped.
pub(super) struct Trial<'a>(&'a WriteHealth);

impl Drop for Trial<'_> {
    fn drop(&mut self) {
        self.0.trying.store(false, Ordering::Release);
    }
}

/// Performs a trial write.
pub(super) fn write_trial(connection: &Connection) -> Result<(), Failure> {
    connection
        .prepare_cached("INSERT OR REPLACE INTO meta (name, value) VALUES ('trial', zeroblob(?))")?
        .execute([TRIAL_BYTES as i64])?;
    Ok(())
}

/// Removes the data of a trial write.
pub(super) fn remove_trial(connection: &Connection) -> Result<(), Failure> {
    connection.prepare_cached("DELETE FROM meta WHERE name = 'trial'")?.execute([])?;
    Ok(())
}
