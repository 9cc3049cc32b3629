//! An agent engine that carries a chat turn end to end: message, model, tools, streamed answer, kept session.
//!
//! Bring an [`AgentFlow`] and a [`Session`], and read the events of a turn. There
//! is no server and no database unless you ask for them:
//!
//! | feature | what it adds |
//! |---|---|
//! | `llm` | providers: the wires of model vendors, and an offline responder that needs no key |
//! | `tools` | the built-in tools |
//! | `sqlite` | turns that survive the process, stored in SQLite |
//!
#![doc = "```ignore"]
#![doc = include_str!("../examples/embed_minimal.rs")]
#![doc = "```"]

#[cfg(feature = "macros")]
#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod agent;
mod answer;
mod error;
mod interaction;
#[cfg(feature = "llm")]
pub mod model;
mod output;
mod schema;
mod session;
mod setup;
mod stream;
mod turn;

pub use agent::Agent;
pub use answer::Answer;
pub use error::Error;
pub use interaction::{Interaction, InteractionReply};
/// Derives JSON Schemas, for types of answers and of arguments.
pub use schemars;
pub use session::AgentSession;
pub use stream::{AnswerStream, TextDeltas};
#[cfg(feature = "macros")]
pub use turnkit_macros::tool;

/// The words and seams: sessions, messages, events, and the traits a host may implement.
pub use turnkit_core as core;
pub use turnkit_core::ports::{AgentFlow, BoxFuture, LlmProvider, Tool, ToolContext};
pub use turnkit_core::{
    Cost, EventKind, Message, PartKind, RawJson, Session, ToolDefinition, ToolError, ToolFlags, ToolOutput,
    ToolQuestion, TurnEvent, TurnStatus, Usage,
};
/// The machine, its driver, and the service that runs the turns of a store.
pub use turnkit_engine as engine;
pub use turnkit_engine::permission::Decision;
pub use turnkit_engine::{Engine, RunEvent};

/// How running turns and their followers find each other.
#[cfg(feature = "sqlite")]
pub use turnkit_broker as broker;
/// Providers.
#[cfg(feature = "llm")]
pub use turnkit_llm as llm;
/// Storage.
#[cfg(feature = "sqlite")]
pub use turnkit_store as store;
/// Built-in tools.
#[cfg(feature = "tools")]
pub use turnkit_tools as tools;
