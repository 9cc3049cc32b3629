//! The binary as its clients meet it: curl, Python, Node.js and a browser as people have them, and crowds that stall,
//! idle, or come back after a kill.
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
