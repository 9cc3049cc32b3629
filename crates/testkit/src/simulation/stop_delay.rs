//! The time in which the process that runs a turn must learn of an acknowledged stop.

use std::time::Duration;

use tokio::time::Instant;

/// A stop that was acknowledged to a client.
#[derive(Debug, Clone, Copy)]
pub(super) struct AcknowledgedStop {
    pub(super) at: Instant,
    /// Whether the process that acknowledged the stop has also sent it to the owner.
    pub(super) is_sent: bool,
}

/// The maximum time from the acknowledgement of a stop until the turn's owner knows of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct StopDelay {
    /// The delay if the owner already ran the turn and the stop was sent to it.
    of_a_run: Duration,
    /// The delay if the owner may not have started the turn it claimed, or the stop was not sent to it.
    of_a_claim: Duration,
}

impl StopDelay {
    /// A message that is not lost takes one millisecond. The rest is for the owner, which may be in the middle of a
    /// commit.
    const SENT: Duration = Duration::from_millis(50);
    /// The owner's sweep finds a stop whose message was lost. Sweeps start one second apart plus the duration of a
    /// sweep, which is part of another second including the claims that follow. A sweep may find a stop before the run
    /// of the claimed turn has started. Then the claim contains the stop, or the next sweep finds it within the same
    /// bound.
    const SWEPT: Duration = Duration::from_secs(2);

    /// The delays within a single process.
    pub(super) const AT_ONCE: Self = Self { of_a_run: Duration::ZERO, of_a_claim: Duration::ZERO };
    /// The delays between processes that lose no messages.
    pub(super) const RELIABLE: Self = Self { of_a_run: Self::SENT, of_a_claim: Self::SWEPT };
    /// The delays between processes that may lose messages.
    pub(super) const LOSSY: Self = Self { of_a_run: Self::SWEPT, of_a_claim: Self::SWEPT };

    /// Returns the time from which the owner must know of the stop. The owner started the turn at `begun_at` and has
    /// had no fault since `undisturbed_since`.
    pub(super) fn ends_at(self, stop: AcknowledgedStop, begun_at: Instant, undisturbed_since: Instant) -> Instant {
        let delay = if stop.is_sent && begun_at < stop.at { self.of_a_run } else { self.of_a_claim };
        stop.at.max(undisturbed_since) + delay
    }
}
