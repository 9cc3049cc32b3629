//! Turns of a store, from acceptance to the last event, on SQLite: run, stopped, followed, and taken up after a crash.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a failed expectation is how a test speaks")]

mod accepting;
mod agents;
mod branching;
mod budgets;
mod cancelling;
mod cluster;
mod compacting;
mod context;
mod counting;
mod deleting;
mod elsewhere;
mod failing;
mod files;
mod fitting;
mod following;
mod leases;
mod modes;
mod params;
mod precompacting;
mod pruning;
mod queueing;
mod replaying;
mod resuming;
mod routes;
mod saving;
mod sessions;
mod stopping;
mod store_watch;
mod summarising;
mod support;
mod titles;
mod tools_off;
mod transferring;
mod truncating;
mod unfollowed;
