//! A model that answers from a script, for tests of agents, and the strict check of what it is sent.
//!
//! Hosts reach it as `turnkit::testing`.
//!
//! ```
//! use turnkit_scripted::{Reply, ScriptedProvider};
//!
//! let provider = ScriptedProvider::new([
//!     Reply::new().call("calculator", serde_json::json!({ "expression": "2+2" })),
//!     Reply::text("It is 4."),
//! ]);
//! assert_eq!(provider.calls().len(), 0);
//! ```

mod call;
mod gate;
mod provider;
mod reply;
pub mod transcript;

pub use call::Call;
pub use gate::Gate;
pub use provider::ScriptedProvider;
pub use reply::Reply;
