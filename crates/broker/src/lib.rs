//! How those who run turns and those who follow them find each other.
//!
//! [`InProcess`] serves one process. [`protocol`] is what several processes say to each other. Nothing in either would be
//! missed if it were lost.

mod in_process;
pub mod protocol;
mod signals;

pub use in_process::InProcess;
