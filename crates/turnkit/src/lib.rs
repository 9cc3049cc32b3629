//! Agents in five lines: a model, a question and an answer, with functions as tools and Rust types as answers.
//!
//! ```no_run
//! use turnkit::Agent;
//!
//! # async fn ask() -> Result<(), turnkit::Error> {
//! let agent = Agent::new("openai:gpt-5-mini").instructions("You are concise.");
//! let answer = agent.ask("Rain in Lisbon tomorrow?").await?;
//! println!("{answer}");
//! # Ok(()) }
//! ```
//!
//! | to use | see |
//! |---|---|
//! | a function that the model can call | [`#[tool]`](macro@tool), [`Agent::tool`] |
//! | an answer of a Rust type | [`Agent::ask_for`] |
//! | a conversation, which can be saved as JSON | [`Agent::session`], [`AgentSession`] |
//! | an answer as the model writes it | [`AgentSession::stream`], [`TextDeltas`] |
//! | approvals, and questions from tools | [`Agent::rule`], [`Agent::on_interaction`] |
//! | sessions that survive the process | `Turnkit::open`, with the feature `sqlite` |
//! | an HTTP server next to the host's own routes | `Server`, with the feature `server` |
//! | tests of an agent without a key | `testing`, with the feature `testing` |
//! | a model that no vendor serves | [`Agent::with_provider`] |
//! | any other setting of the engine | [`Agent::engine`] |
//!
//! A plain agent runs in the caller's task, on tokio's timers and sockets. It needs no server and no database, and
//! spawns no task. An [`Agent`] is a thin layer over an [`Engine`], which runs an [`AgentFlow`] on a [`Session`] of the
//! host and can be used directly. A `Turnkit` is a thin layer over [`engine::TurnService`], which runs stored turns in
//! tasks of its own.
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `llm` | yes | providers: the protocols of model vendors, and an offline responder that needs no key |
//! | `macros` | yes | `#[tool]` |
//! | `tools` | yes | the built-in tools |
//! | `sqlite` | no | turns that survive the process, stored in SQLite |
//! | `server` | no | the HTTP server inside the host's process; includes `sqlite` |
//! | `page` | no | the web page of that server; includes `server` |
//! | `testing` | no | models that answer from a script or a recording, for tests |
//!
//! The types of answers and arguments derive [`schemars::JsonSchema`] and serde's `Deserialize`.
//!
//! # Using the engine directly
#![doc = "```ignore"]
#![doc = include_str!("../examples/embed_minimal.rs")]
#![doc = "```"]

#[cfg(feature = "macros")]
#[doc(hidden)]
pub mod __private;
mod agent;
mod answer;
#[cfg(feature = "sqlite")]
mod durable;
mod end;
mod error;
mod handover;
mod interaction;
#[cfg(feature = "llm")]
pub mod model;
mod output;
mod schema;
#[cfg(feature = "server")]
mod server;
mod session;
mod setup;
mod stream;
#[cfg(feature = "testing")]
pub mod testing;
mod text_updates;
mod turn;

pub use agent::Agent;
pub use answer::Answer;
#[cfg(feature = "sqlite")]
pub use durable::{DurableSession, OpenError, Turnkit, TurnkitBuilder};
pub use error::Error;
pub use interaction::{Interaction, InteractionReply};
/// Derives JSON Schemas for the types of answers and arguments.
pub use schemars;
#[cfg(feature = "server")]
pub use server::{ServeError, Server};
pub use session::AgentSession;
pub use stream::{AnswerStream, TextDeltas};
pub use text_updates::{TextUpdate, TextUpdates};
#[cfg(feature = "macros")]
pub use turnkit_macros::tool;

/// Core types, and the traits that a host can implement.
pub use turnkit_core as core;
pub use turnkit_core::ports::{AgentFlow, BoxFuture, LlmProvider, Tool, ToolContext};
pub use turnkit_core::{
    Cost, EventKind, Message, PartKind, RawJson, Session, ToolDefinition, ToolError, ToolFlags, ToolOutput,
    ToolQuestion, TurnEvent, TurnStatus, Usage,
};
/// The engine, and the service that runs stored turns.
pub use turnkit_engine as engine;
pub use turnkit_engine::permission::Decision;
pub use turnkit_engine::{Engine, RunEvent};

/// The broker that connects running turns with their followers.
#[cfg(feature = "sqlite")]
pub use turnkit_broker as broker;
/// Model providers.
#[cfg(feature = "llm")]
pub use turnkit_llm as llm;
/// The HTTP server, and the web framework for the host's own routes.
#[cfg(feature = "server")]
pub use {axum, turnkit_server as http};

/// Storage.
#[cfg(feature = "sqlite")]
pub use turnkit_store as store;
/// Built-in tools.
#[cfg(feature = "tools")]
pub use turnkit_tools as tools;

/// Compiles the programs in the guide.
#[cfg(all(doctest, feature = "llm", feature = "macros", feature = "server", feature = "testing"))]
#[doc = include_str!("../../../docs/embed.md")]
struct Guide;
