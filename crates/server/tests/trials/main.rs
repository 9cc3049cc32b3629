//! Trials of requests that arrive at once, disconnect in the middle, or reconnect. They run over real sockets, often
//! enough for rare interleavings to occur.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "what fails here fails its trial")]

mod cancelling;
mod disconnecting;
mod installation;
mod queueing;
mod repeating;
mod resuming;
mod script;
