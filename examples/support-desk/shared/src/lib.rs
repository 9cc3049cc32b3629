//! What the servers of the support desk have in common: the check of access tokens, tools over MCP, a database, and a
//! server that can be stopped.
//!
//! A server of tools is a [`Toolbox`] over its [`Database`], started by [`start_tools`]. Each of its requests needs a
//! token that the [`TokenVerifier`] accepts; tools learn from it who calls them, as a [`Caller`].

mod caller;
mod database;
mod guard;
mod keys;
mod mcp;
mod running;
mod toolbox;
mod verifier;

pub use caller::Caller;
pub use database::Database;
pub use keys::{KeyError, KeySet};
pub use mcp::{ServerOptions, start_tools};
pub use running::{RunningServer, bind};
pub use toolbox::{Effect, ToolFailure, Toolbox};
pub use verifier::{TokenError, TokenVerifier};
