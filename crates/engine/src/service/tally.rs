//! Counts of a service's turns, for monitoring.

use std::sync::atomic::{AtomicU64, Ordering};

use turnkit_core::TurnStatus;

/// The current load of a service, and its totals since the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServiceCounts {
    /// Turns that are running.
    pub running: u64,
    /// Turns that could run if there were more slots.
    pub waiting_for_slot: u64,
    /// Turns that were accepted.
    pub accepted: u64,
    /// Turns that were resumed: turns left by an earlier process, and turns of this process whose run could not be
    /// saved.
    pub resumed: u64,
    /// Turns that ended, by status.
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

/// Counts turns as they start and end.
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

    pub(super) fn counts(&self) -> ServiceCounts {
        let mut ended = STATUSES.map(|status| (status, 0));
        for ((_, count), counter) in ended.iter_mut().zip(&self.ended) {
            *count = counter.load(Ordering::Relaxed);
        }
        ServiceCounts {
            running: self.running.0.load(Ordering::Relaxed),
            waiting_for_slot: self.waiting_for_slot.0.load(Ordering::Relaxed),
            accepted: self.accepted.load(Ordering::Relaxed),
            resumed: self.resumed.load(Ordering::Relaxed),
            ended,
        }
    }
}

/// Counts the items of a kind that exist now.
#[derive(Debug, Default)]
pub(super) struct Gauge(AtomicU64);

impl Gauge {
    pub(super) fn is_at_least(&self, number: u64) -> bool {
        self.0.load(Ordering::Relaxed) >= number
    }

    /// Counts one more item until the returned guard is dropped.
    pub(super) fn one_more(&self) -> GaugeGuard<'_> {
        self.0.fetch_add(1, Ordering::Relaxed);
        GaugeGuard(self)
    }
}

/// A guard for one counted item.
pub(super) struct GaugeGuard<'a>(&'a Gauge);

impl Drop for GaugeGuard<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}
