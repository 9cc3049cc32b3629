//! The system clock and random ids, for hosts that bring none of their own. All other code receives both as arguments.

use std::time::{SystemTime, UNIX_EPOCH};

use turnkit_core::Timestamp;
use turnkit_core::ports::{Clock, IdSource};
use uuid::{Builder, Uuid};

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place where the wall clock is read")]
    fn now(&self) -> Timestamp {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_millis(i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX))
    }
}

/// Version 7 UUIDs that cannot be guessed.
#[derive(Debug, Clone, Copy, Default)]
pub struct RandomIds;

impl IdSource for RandomIds {
    fn uuid(&self, now: Timestamp) -> Uuid {
        let millis = u64::try_from(now.millis()).unwrap_or(0);
        Builder::from_unix_timestamp_millis(millis, &rand::random()).into_uuid()
    }
}
