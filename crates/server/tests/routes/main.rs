//! What the routes of a server answer, over real sockets.
#![expect(clippy::unwrap_used, clippy::panic, reason = "what fails here fails its test")]

mod client;
mod document;
mod following;
mod foreign;
mod leaving;
mod running;
mod session_feed;
mod sessions;
mod starting;
mod turns;
mod usage;
mod vectors;
