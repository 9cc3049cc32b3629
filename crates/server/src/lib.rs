//! HTTP for turnkit: its own resources, its clients' protocols, and event streams that resume from anywhere.

mod dialect;
mod error;

pub use error::{ApiError, Code};
