//! How much a service does and has done, for those who watch over it.

use std::sync::atomic::{AtomicU64, Ordering};

use turnkit_core::TurnStatus;

/// How much a service does now, and has done since it began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overview {
    /// Turns that run now.
    pub running: u64,
    /// Turns that could run if there were more slots.
    pub waiting_for_slot: u64,
    /// Turns that were accepted.
    pub accepted: u64,
    /// Turns that were taken up: those an earlier process left, and those whose own run could not be saved.
    pub resumed: u64,
    /// Turns that ended, by how.
    pub ended: [(TurnStatus, u64); STATUSES.len()],
}

const STATUSES: [TurnStatus; 6] = [
    TurnStatus::Completed,
    TurnStatus::Failed,
    TurnStatus::Cancelled,
    TurnStatus::Limit,
    TurnStatus::Interrupted,
    TurnStatus::Expired,
];

/// Counts as turns come and go.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) running: Gauge,
    pub(super) waiting_for_slot: Gauge,
    accepted: AtomicU64,
    resumed: AtomicU64,
    ended: [AtomicU64; STATUSES.len()],
}

impl Tally {
    pub(super) fn accepted(&self) {
        self.accepted.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn resumed(&self) {
        self.resumed.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn ended(&self, status: TurnStatus) {
        let counters = STATUSES.iter().zip(&self.ended);
        for (_, counter) in counters.filter(|(of, _)| **of == status) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(super) fn overview(&self) -> Overview {
        let mut ended = STATUSES.map(|status| (status, 0));
        for ((_, count), counter) in ended.iter_mut().zip(&self.ended) {
            *count = counter.load(Ordering::Relaxed);
        }
        Overview {
            running: self.running.0.load(Ordering::Relaxed),
            waiting_for_slot: self.waiting_for_slot.0.load(Ordering::Relaxed),
            accepted: self.accepted.load(Ordering::Relaxed),
            resumed: self.resumed.load(Ordering::Relaxed),
            ended,
        }
    }
}

/// How many there are of something now.
#[derive(Debug, Default)]
pub(super) struct Gauge(AtomicU64);

impl Gauge {
    pub(super) fn is_at_least(&self, number: u64) -> bool {
        self.0.load(Ordering::Relaxed) >= number
    }

    /// One more, until this is dropped.
    pub(super) fn one_more(&self) -> One<'_> {
        self.0.fetch_add(1, Ordering::Relaxed);
        One(self)
    }
}

/// One of those a gauge counts.
pub(super) struct One<'a>(&'a Gauge);

impl Drop for One<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}
