//! Histograms. Recording a value takes two additions and no allocation.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Counts values by their size.
#[derive(Debug)]
pub(crate) struct Histogram {
    bounds: &'static [u64],
    sum: AtomicU64,
    /// One counter for each bound, and one for values above all bounds.
    counts: Box<[AtomicU64]>,
}

impl Histogram {
    pub(crate) fn new(bounds: &'static [u64]) -> Self {
        let counts = std::iter::repeat_with(AtomicU64::default).take(bounds.len() + 1).collect();
        Self { bounds, sum: AtomicU64::default(), counts }
    }

    pub(crate) fn record(&self, value: u64) {
        let bucket = self.bounds.partition_point(|bound| *bound < value);
        if let Some(count) = self.counts.get(bucket) {
            count.fetch_add(1, Ordering::Relaxed);
            self.sum.fetch_add(value, Ordering::Relaxed);
        }
    }

    pub(crate) fn record_time(&self, time: Duration) {
        self.record(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
    }

    pub(crate) fn measured(&self) -> HistogramSnapshot {
        let bounds = self.bounds.iter().copied().chain([u64::MAX]);
        let buckets = bounds.zip(self.counts.iter().map(|count| count.load(Ordering::Relaxed))).collect();
        HistogramSnapshot { sum: self.sum.load(Ordering::Relaxed), buckets }
    }
}

/// A snapshot of a histogram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistogramSnapshot {
    /// The sum of all recorded values.
    pub sum: u64,
    /// Each bound with the number of values up to it and above the bound before. The last bound is `u64::MAX`.
    pub buckets: Vec<(u64, u64)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_counted_under_the_first_bound_it_does_not_exceed() {
        let histogram = Histogram::new(&[10, 20]);
        for value in [0, 10, 11, 20, 21, 1_000] {
            histogram.record(value);
        }
        let expected = HistogramSnapshot { sum: 1_062, buckets: vec![(10, 2), (20, 2), (u64::MAX, 2)] };
        assert_eq!(histogram.measured(), expected);
    }
}
