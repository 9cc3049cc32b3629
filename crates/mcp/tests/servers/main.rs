//! Tests against servers: real ones, which the protocol's own library runs, and hostile ones, written by hand.
#![expect(clippy::unwrap_used, reason = "a missing answer fails the test")]
#![expect(clippy::disallowed_methods, reason = "servers end with the runtime of their test")]

mod callers;
mod cuts;
mod hostile;
mod import;
mod owners;
mod poisoned;
mod programs;
mod proxy;
mod raw;
mod reconnecting;
mod resuming;
mod support;
mod tickets;
mod tokens;
mod web;
