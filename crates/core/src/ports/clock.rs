//! The source of the current time.

use crate::Timestamp;

/// Provides the current time.
///
/// ```
/// use turnkit_core::{Timestamp, ports::Clock};
///
/// struct Noon;
/// impl Clock for Noon {
///     fn now(&self) -> Timestamp {
///         Timestamp::from_millis(43_200_000)
///     }
/// }
/// assert_eq!(Noon.now().to_string(), "1970-01-01T12:00:00.000Z");
/// ```
pub trait Clock: Send + Sync {
    /// Returns the current time.
    fn now(&self) -> Timestamp;
}
