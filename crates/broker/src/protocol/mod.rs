//! Protocol between processes that share a store, independent of the transport. It carries operations of followed turns,
//! requests to stop and changes of sessions.
//!
//! A [`Node`] is the state machine of one process, without I/O. The caller passes in received envelopes and the time, and
//! sends the envelopes it returns. Envelopes may be lost, late, repeated or reordered: missing operations are requested
//! again or read from the store.

mod envelope;
mod follow_requests;
mod mirrors;
mod node;
mod watches;

pub use envelope::{Envelope, FollowRequest, Message, Recipient};
pub use node::{Node, RequiredActions};
