//! How long an acknowledged stop may be unknown to the process that runs the turn.

use std::time::Duration;

use tokio::time::Instant;

/// A stop that was acknowledged to a client.
#[derive(Debug, Clone, Copy)]
pub(super) struct AcknowledgedStop {
    pub(super) at: Instant,
    /// Whether the process that acknowledged it has also sent it to the owner.
    pub(super) is_sent: bool,
}

/// The longest time from the acknowledgement of a stop until the owner of the turn knows of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct StopDelay {
    /// The owner ran the turn already and the stop was sent to it.
    of_a_run: Duration,
    /// The owner may not have begun the turn it claimed, or was sent nothing.
    of_a_claim: Duration,
}

impl StopDelay {
    /// A message that is not lost takes a millisecond. The rest is for the owner, which may be in the middle of a commit.
    const SENT: Duration = Duration::from_millis(50);
    /// The owner's sweep finds a stop whose message was lost. Sweeps begin a second apart, plus the time a sweep takes:
    /// together with the claims that follow it, a part of another second. A sweep may find a stop before the run of the
    /// claimed turn has begun. Then the claim holds the stop, or the next sweep finds it within the same bound.
    const SWEPT: Duration = Duration::from_secs(2);

    /// In the only process.
    pub(super) const AT_ONCE: Self = Self { of_a_run: Duration::ZERO, of_a_claim: Duration::ZERO };
    /// Among processes that lose no messages.
    pub(super) const CALM: Self = Self { of_a_run: Self::SENT, of_a_claim: Self::SWEPT };
    /// Among processes that may lose messages.
    pub(super) const STORMY: Self = Self { of_a_run: Self::SWEPT, of_a_claim: Self::SWEPT };

    /// Returns the moment from which the owner must know of the stop. The owner began the turn at `begun_at` and has had no
    /// fault since `undisturbed_since`.
    pub(super) fn ends_at(self, stop: AcknowledgedStop, begun_at: Instant, undisturbed_since: Instant) -> Instant {
        let delay = if stop.is_sent && begun_at < stop.at { self.of_a_run } else { self.of_a_claim };
        stop.at.max(undisturbed_since) + delay
    }
}
