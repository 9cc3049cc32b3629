//! Connects the owners of turns with the followers of those turns.
//!
//! [`InProcess`] serves one process. [`protocol`] is the protocol between several processes. Both keep their state in
//! memory only; the store is the source of truth.

mod in_process;
pub mod protocol;
mod signals;

pub use in_process::InProcess;
