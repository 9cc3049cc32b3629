//! How those who run turns and those who follow them find each other.
//!
//! [`InProcess`] serves one process. [`protocol`] is the protocol between several processes. Both hold memory only: the store
//! has the truth.

mod in_process;
pub mod protocol;
mod signals;

pub use in_process::InProcess;
