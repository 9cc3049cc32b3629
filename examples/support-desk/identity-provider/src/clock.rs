//! The clock of the provider.

use std::sync::Arc;

/// Returns the current time in seconds since 1970.
pub type Clock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// Returns the clock of this machine.
pub fn system_clock() -> Clock {
    Arc::new(jsonwebtoken::get_current_timestamp)
}
