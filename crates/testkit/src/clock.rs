//! A clock that the test controls.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use tokio::time::Instant;
use turnkit_core::Timestamp;
use turnkit_core::ports::Clock;

/// A clock that stands still until the test moves it, or follows tokio's time, which a test can pause and advance.
///
/// ```
/// use std::time::Duration;
/// use turnkit_core::{Timestamp, ports::Clock};
/// use turnkit_testkit::VirtualClock;
///
/// let clock = VirtualClock::fixed(Timestamp::from_millis(1_000));
/// clock.advance(Duration::from_secs(2));
/// assert_eq!(clock.now(), Timestamp::from_millis(3_000));
/// ```
#[derive(Debug)]
pub struct VirtualClock {
    millis: AtomicI64,
    running_since: Option<Instant>,
}

impl VirtualClock {
    /// Creates a clock that shows `start` until it is moved.
    pub fn fixed(start: Timestamp) -> Self {
        Self { millis: AtomicI64::new(start.millis()), running_since: None }
    }

    /// Creates a clock that shows `start` now and advances with tokio's time. Under `start_paused` it moves only when
    /// tokio's time moves.
    pub fn following_tokio(start: Timestamp) -> Self {
        Self { running_since: Some(Instant::now()), ..Self::fixed(start) }
    }

    /// Advances the clock by `duration`, in addition to the time that passes by itself.
    pub fn advance(&self, duration: Duration) {
        self.shift(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX));
    }

    /// Shifts the clock by `millis`, backwards if negative, as a corrected system clock does.
    pub fn shift(&self, millis: i64) {
        self.millis.fetch_add(millis, Ordering::SeqCst);
    }
}

impl Clock for VirtualClock {
    fn now(&self) -> Timestamp {
        let passed = self.running_since.map_or(Duration::ZERO, |since| since.elapsed());
        Timestamp::from_millis(self.millis.load(Ordering::SeqCst)).plus(passed)
    }
}
