//! The binary with real clients: curl, Python, Node.js and a browser as installed, and crowds of clients that stall,
//! idle, or reconnect after a kill.
#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "what fails here fails its test"
)]

mod browser;
mod curl;
mod idle;
mod killed;
mod measure;
mod node;
mod overload;
mod program;
mod protocols;
mod python;
mod returning;
mod server;
mod stalled;
