//! The tools every agent can have: a [`Calculator`] and a [`Clock`].
//!
//! Both only look and compute: they change nothing and may run side by side. What a tool may do is decided elsewhere.
//!
//! ```
//! use std::sync::Arc;
//! use turnkit_core::{Timestamp, ports};
//!
//! struct Noon;
//! impl ports::Clock for Noon {
//!     fn now(&self) -> Timestamp {
//!         Timestamp::from_millis(43_200_000)
//!     }
//! }
//!
//! let tools = turnkit_tools::built_in(Arc::new(Noon));
//! let names: Vec<_> = tools.iter().map(|tool| tool.definition().name.as_str()).collect();
//! assert_eq!(names, turnkit_tools::NAMES);
//! ```

mod arguments;
mod calculator;
mod clock;
mod zone;

use std::sync::Arc;

use turnkit_core::ports;

pub use calculator::{CalculationError, Calculator, Problem, calculate};
pub use clock::Clock;
pub use zone::{UnknownZone, find_zone};

/// The names of all built-in tools.
pub const NAMES: &[&str] = &[Calculator::NAME, Clock::NAME];

/// All built-in tools. `clock` tells the time to those that need it.
pub fn built_in(clock: Arc<dyn ports::Clock>) -> Vec<Arc<dyn ports::Tool>> {
    vec![Arc::new(Calculator::new()), Arc::new(Clock::new(clock))]
}
