//! Tests of content that no version of the store has written: calls that read it report the damage, and other data is
//! not affected.
#![expect(clippy::unwrap_used, clippy::panic, reason = "what a test is made of is sound")]

mod calls;
mod files;
mod subject;
mod values;
