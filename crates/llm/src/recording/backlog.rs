//! What is on its way to the thread that writes exchanges.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use super::exchange::{Ended, Exchange};
use super::mask::Mask;

/// A message to the writing thread; `number` names the exchange.
#[derive(Debug)]
pub(super) enum WriterMessage {
    Begun { number: u64, exchange: Box<Exchange>, request: Bytes, mask: Mask },
    Head { number: u64, status: u16, headers: Vec<(&'static str, String)> },
    Body { number: u64, bytes: Vec<u8> },
    Ended { number: u64, ended: Ended },
}

/// What waits to be written.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    bytes: AtomicUsize,
    /// Exchanges that did not fit.
    lost: Mutex<Vec<Lost>>,
}

/// An exchange that did not fit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lost {
    pub(super) number: u64,
    /// Whether its beginning is sent to the thread, now or later.
    pub(super) is_begun: bool,
}

impl Backlog {
    /// Adds these bytes to those that wait, and returns how many there are now.
    pub(super) fn queued(&self, bytes: usize) -> usize {
        self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes
    }

    pub(super) fn written(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    pub(super) fn lose(&self, lost: Lost) {
        self.lock().push(lost);
    }

    pub(super) fn take_lost(&self) -> Vec<Lost> {
        std::mem::take(&mut self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Lost>> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
