//! Content that no version of the store has written: whoever meets it is told, nobody else is harmed.
#![expect(clippy::unwrap_used, clippy::panic, reason = "what a test is made of is sound")]

mod calls;
mod files;
mod subject;
mod values;
