//! Connects the owners of turns with the followers of those turns.
//!
//! [`InProcess`] serves one process. [`protocol`] is the protocol between several processes. Both keep their state in
//! memory only; the store is the source of truth.
//!
//! ```
//! use std::sync::Arc;
//! use turnkit_broker::InProcess;
//!
//! // A `TurnService` takes it beside its store and its provider.
//! let broker = Arc::new(InProcess::default());
//! ```

mod in_process;
pub mod protocol;
mod signals;

pub use in_process::InProcess;
