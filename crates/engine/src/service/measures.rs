//! How long turns and their parts take and what they consume, in buckets. A measurement is two additions and builds
//! nothing: it is made once a turn, a call or a commit, never once a token.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use turnkit_core::{Recorded, TurnLog};

/// What a service has measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measures {
    /// Turns, from their acceptance to their end, in microseconds.
    pub turns: Measured,
    /// Turns, from their acceptance to the first output of a model, in microseconds.
    pub first_outputs: Measured,
    /// Calls of tools that ran, in microseconds.
    pub tools: Measured,
    /// Commits of boundaries, in microseconds, the wait for others in the same commit included.
    pub commits: Measured,
    /// Input tokens of a turn, cached ones included.
    pub input_tokens: Measured,
    /// Output tokens of a turn.
    pub output_tokens: Measured,
    /// What a turn cost, in billionths of a US dollar, as far as that is known.
    pub costs: Measured,
}

/// Measurements of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measured {
    /// The sum of all.
    pub sum: u64,
    /// How many were at most as large as this bound, and larger than the bound before. The last bound is `u64::MAX`.
    pub buckets: Vec<(u64, u64)>,
}

/// Bounds of what takes as long as a model: 10 ms to 30 minutes.
const LONG: &[u64] = &[
    10_000,
    25_000,
    50_000,
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000,
    30_000_000,
    60_000_000,
    120_000_000,
    300_000_000,
    900_000_000,
    1_800_000_000,
];
/// Bounds of what takes as long as a disk: 100 µs to 10 s.
const SHORT: &[u64] =
    &[100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 500_000, 1_000_000, 10_000_000];
const TOKENS: &[u64] =
    &[100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000];
/// A hundredth of a cent to 10 dollars.
const NANO_USD: &[u64] = &[
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000,
    25_000_000,
    50_000_000,
    100_000_000,
    250_000_000,
    500_000_000,
    1_000_000_000,
    10_000_000_000,
];

/// Measures while turns run.
#[derive(Debug)]
pub(super) struct Meter {
    turns: Histogram,
    first_outputs: Histogram,
    tools: Histogram,
    commits: Histogram,
    input_tokens: Histogram,
    output_tokens: Histogram,
    costs: Histogram,
}

impl Default for Meter {
    fn default() -> Self {
        Self {
            turns: Histogram::new(LONG),
            first_outputs: Histogram::new(LONG),
            tools: Histogram::new(LONG),
            commits: Histogram::new(SHORT),
            input_tokens: Histogram::new(TOKENS),
            output_tokens: Histogram::new(TOKENS),
            costs: Histogram::new(NANO_USD),
        }
    }
}

impl Meter {
    /// Measures a turn that has ended, from its log.
    pub(super) fn ended(&self, log: &TurnLog) {
        let mut entries = log.entries();
        let Some(accepted) = entries.next().map(|entry| entry.at) else { return };
        let mut is_answered = false;
        // A call that was refused or names no tool finishes without having started.
        let mut running = Vec::new();
        for entry in entries {
            match &entry.kind {
                Recorded::Attempt { .. } if !is_answered => {
                    is_answered = true;
                    self.first_outputs.take_time(entry.at.since(accepted));
                }
                Recorded::ToolStarted { uid } => running.push(*uid),
                Recorded::ToolFinished { uid, ms } => {
                    if let Some(at) = running.iter().position(|other| other == uid) {
                        running.swap_remove(at);
                        self.tools.take_time(Duration::from_millis(*ms));
                    }
                }
                Recorded::TurnEnded { usage, .. } => {
                    self.turns.take_time(entry.at.since(accepted));
                    let input = usage.fresh.saturating_add(usage.cache_read).saturating_add(usage.cache_write);
                    self.input_tokens.take(input);
                    self.output_tokens.take(usage.output);
                    self.costs.take(usage.cost.nano_usd);
                }
                _ => {}
            }
        }
    }

    /// Where the driver takes down how long its commits take.
    pub(super) fn commits(&self) -> &Histogram {
        &self.commits
    }

    pub(super) fn measures(&self) -> Measures {
        Measures {
            turns: self.turns.measured(),
            first_outputs: self.first_outputs.measured(),
            tools: self.tools.measured(),
            commits: self.commits.measured(),
            input_tokens: self.input_tokens.measured(),
            output_tokens: self.output_tokens.measured(),
            costs: self.costs.measured(),
        }
    }
}

/// Counts measurements by their size.
#[derive(Debug)]
pub(crate) struct Histogram {
    bounds: &'static [u64],
    sum: AtomicU64,
    /// One for each bound, and one for what is larger than all.
    counts: Box<[AtomicU64]>,
}

impl Histogram {
    fn new(bounds: &'static [u64]) -> Self {
        let counts = std::iter::repeat_with(AtomicU64::default).take(bounds.len() + 1).collect();
        Self { bounds, sum: AtomicU64::default(), counts }
    }

    fn take(&self, value: u64) {
        let bucket = self.bounds.partition_point(|bound| *bound < value);
        if let Some(count) = self.counts.get(bucket) {
            count.fetch_add(1, Ordering::Relaxed);
            self.sum.fetch_add(value, Ordering::Relaxed);
        }
    }

    pub(crate) fn take_time(&self, time: Duration) {
        self.take(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
    }

    fn measured(&self) -> Measured {
        let bounds = self.bounds.iter().copied().chain([u64::MAX]);
        let buckets = bounds.zip(self.counts.iter().map(|count| count.load(Ordering::Relaxed))).collect();
        Measured { sum: self.sum.load(Ordering::Relaxed), buckets }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measurement_is_counted_under_the_first_bound_it_does_not_exceed() {
        let histogram = Histogram::new(&[10, 20]);
        for value in [0, 10, 11, 20, 21, 1_000] {
            histogram.take(value);
        }
        let expected = Measured { sum: 1_062, buckets: vec![(10, 2), (20, 2), (u64::MAX, 2)] };
        assert_eq!(histogram.measured(), expected);
    }

    #[test]
    fn bounds_grow() {
        for bounds in [LONG, SHORT, TOKENS, NANO_USD] {
            assert!(bounds.is_sorted_by(|a, b| a < b), "{bounds:?}");
        }
    }
}
