//! What a server promises about requests that come at once, leave in the middle, or come back: over real sockets, as
//! often as chance needs to show itself.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "what fails here fails its trial")]

mod cancelling;
mod disconnecting;
mod installation;
mod queueing;
mod repeating;
mod resuming;
mod script;
