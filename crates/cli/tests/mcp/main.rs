//! The binary with other programs of the Model Context Protocol, unmodified: servers of several authors, the Inspector,
//! and the conformance suite of the protocol.
#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "what fails here fails its test")]

mod agent;
mod cancelling;
mod conformance;
mod gateway;
mod inspector;
mod packages;
mod results;
mod servers;
mod slow_page;
mod steps;
mod tools;
mod workspace;
