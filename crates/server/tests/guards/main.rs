//! Tests of the guards that a request passes before its handler, over real sockets.
#![expect(clippy::unwrap_used, reason = "what fails here fails its test")]

mod bodies;
#[cfg(unix)]
mod descriptors;
mod draining;
mod hosts_and_origins;
mod keys;
mod logs;
mod operation;
#[cfg(feature = "page")]
mod page;
mod running;
mod vectors;
mod wire;
