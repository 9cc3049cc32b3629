//! Reproducible ids.

use std::sync::atomic::{AtomicU64, Ordering};

use turnkit_core::Timestamp;
use turnkit_core::ports::IdSource;
use uuid::{Builder, Uuid};

/// Generates version 7 UUIDs from the given time, a counter and a seed. The same calls return the same ids.
///
/// Sources with different seeds never generate the same id.
///
/// ```
/// use turnkit_core::{Timestamp, ports::IdSource};
/// use turnkit_testkit::SeededIds;
///
/// let first = SeededIds::new(7).turn(Timestamp::default());
/// assert_eq!(first, SeededIds::new(7).turn(Timestamp::default()));
/// assert_ne!(first, SeededIds::new(8).turn(Timestamp::default()));
/// ```
#[derive(Debug)]
pub struct SeededIds {
    seed: u16,
    made: AtomicU64,
}

impl SeededIds {
    /// Creates a source for `seed`.
    pub fn new(seed: u16) -> Self {
        Self { seed, made: AtomicU64::new(0) }
    }
}

impl IdSource for SeededIds {
    fn uuid(&self, now: Timestamp) -> Uuid {
        let mut random = [0; 10];
        random[2..].copy_from_slice(&self.made.fetch_add(1, Ordering::SeqCst).to_be_bytes());
        // The first bits of bytes 0 and 2 are overwritten by the version and the variant, so the seed avoids these
        // bytes.
        random[3..5].copy_from_slice(&self.seed.to_be_bytes());
        Builder::from_unix_timestamp_millis(u64::try_from(now.millis()).unwrap_or(0), &random).into_uuid()
    }
}
