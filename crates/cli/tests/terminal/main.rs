//! The binary as a user runs it.
#![expect(clippy::unwrap_used, reason = "a failed expectation is how a test speaks")]

mod chat;
mod sessions;
mod support;
