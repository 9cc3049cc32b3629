//! How those who run turns and those who follow them find each other.
//!
//! [`InProcess`] serves one process. Nothing in it would be missed if it were lost.

mod in_process;
mod signals;

pub use in_process::InProcess;
