//! What processes that share a store say to each other, whatever carries it: which turns they follow, what happens in
//! those, which turns are to stop, which sessions have changed.
//!
//! A [`Node`] is one process's part in it: a state machine without I/O. It is given the envelopes that arrive and the
//! time, and gives the envelopes to send. Everything may be lost, come late, twice or in another order: what is missed is
//! asked for again, or comes from the store.

mod envelope;
mod mirrors;
mod node;
mod wants;
mod watches;

pub use envelope::{Envelope, Message, Recipient, Want};
pub use node::{Node, Received};
