//! Measurements that drivers take while they wait.

use crate::histogram::Histogram;

/// Durations of the waits of a service's drivers, in microseconds.
#[derive(Debug)]
pub(crate) struct Timings {
    /// Commits of boundaries, including the wait for others in the same commit.
    pub(crate) commits: Histogram,
    /// Model calls that were answered, from the request to the beginning of the answer.
    pub(crate) model_waits: Histogram,
}
