//! What time it is.

use crate::Timestamp;

/// Tells the time.
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
    /// Now.
    fn now(&self) -> Timestamp;
}
