//! A model that answers from a script, for tests of agents, and the strict check of what it is sent.
//!
//! Hosts reach it as `turnkit::testing`.

mod call;
mod gate;
mod provider;
mod reply;
pub mod transcript;

pub use call::Call;
pub use gate::Gate;
pub use provider::ScriptedProvider;
pub use reply::Reply;
