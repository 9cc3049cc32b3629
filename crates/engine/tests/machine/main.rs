//! Snapshot tests of the turn machine's inputs and effects. Each trace is one turn from its start to its end.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod compacting;
mod deciding;
mod failing;
mod limits;
mod resuming;
mod rounds;
mod stopping;
mod stored;
mod trace;
