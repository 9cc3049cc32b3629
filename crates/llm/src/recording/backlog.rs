//! The queue to the thread that writes exchanges.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use super::exchange::{Exchange, ExchangeOutcome};
use super::mask::Mask;

/// A message to the writing thread; `number` identifies the exchange.
#[derive(Debug)]
pub(super) enum WriterMessage {
    Begin { number: u64, exchange: Box<Exchange>, request: Bytes, mask: Mask },
    Head { number: u64, status: u16, headers: Vec<(&'static str, String)> },
    Body { number: u64, bytes: Vec<u8> },
    End { number: u64, outcome: ExchangeOutcome },
}

/// The data that waits to be written.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    bytes: AtomicUsize,
    /// Exchanges that exceeded the limit.
    lost: Mutex<Vec<Lost>>,
}

/// An exchange that exceeded the limit of the backlog.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lost {
    pub(super) number: u64,
    /// Set if the thread gets the beginning of the exchange, now or later.
    pub(super) is_begun: bool,
}

impl Backlog {
    /// Adds `bytes` to the backlog and returns its new size.
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
