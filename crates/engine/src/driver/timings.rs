//! What drivers measure while they wait.

use crate::histogram::Histogram;

/// How long the waits of a service's drivers take, in microseconds.
#[derive(Debug)]
pub(crate) struct Timings {
    /// Commits of boundaries, the wait for others in the same commit included.
    pub(crate) commits: Histogram,
    /// Model calls that were answered, from the request to the beginning of the answer.
    pub(crate) model_waits: Histogram,
}
