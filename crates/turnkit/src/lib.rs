//! Agents in five lines: a model, a question, an answer, with tools that are functions and answers that are types.
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
//! | for | there is |
//! |---|---|
//! | a function that the model calls | [`#[tool]`](macro@tool), [`Agent::tool`] |
//! | an answer of a type | [`Agent::ask_for`] |
//! | a conversation, which can be kept as JSON | [`Agent::session`], [`AgentSession`] |
//! | an answer while the model writes it | [`AgentSession::stream`], [`TextDeltas`] |
//! | approvals, and questions of tools | [`Agent::rule`], [`Agent::on_interaction`] |
//! | sessions that survive the process | `Turnkit::open`, with the feature `sqlite` |
//! | an HTTP server with the host's own routes beside it | `Server`, with the feature `server` |
//! | tests of an agent without a key | `testing`, with the feature `testing` |
//! | a model that no vendor serves | [`Agent::with_provider`] |
//! | everything that an engine can be told | [`Agent::engine`] |
//!
//! An agent by itself runs in the caller's task, on tokio's timers and sockets: there is no server, no database and no task of
//! its own. An [`Agent`] is a thin layer over an [`Engine`], which runs an [`AgentFlow`] on a [`Session`] of the host and can be
//! used directly. A `Turnkit` is such a layer over [`engine::TurnService`], which runs the turns of a store in tasks of its own.
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `llm` | yes | providers: the protocols of model vendors, and an offline responder that needs no key |
//! | `macros` | yes | `#[tool]` |
//! | `tools` | yes | the built-in tools |
//! | `sqlite` | no | turns that survive the process, stored in SQLite |
//! | `server` | no | the HTTP server in the host's process, with `sqlite` |
//! | `testing` | no | models that answer from a script or a recording, for tests |
//!
//! Types of answers and of arguments derive [`schemars::JsonSchema`] and serde's `Deserialize`.
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
mod turn;

pub use agent::Agent;
pub use answer::Answer;
#[cfg(feature = "sqlite")]
pub use durable::{DurableSession, OpenError, Turnkit, TurnkitBuilder};
pub use error::Error;
pub use interaction::{Interaction, InteractionReply};
/// Derives JSON Schemas, for types of answers and of arguments.
pub use schemars;
#[cfg(feature = "server")]
pub use server::{ServeError, Server};
pub use session::AgentSession;
pub use stream::{AnswerStream, TextDeltas};
#[cfg(feature = "macros")]
pub use turnkit_macros::tool;

/// Core types, and the traits that a host may implement.
pub use turnkit_core as core;
pub use turnkit_core::ports::{AgentFlow, BoxFuture, LlmProvider, Tool, ToolContext};
pub use turnkit_core::{
    Cost, EventKind, Message, PartKind, RawJson, Session, ToolDefinition, ToolError, ToolFlags, ToolOutput,
    ToolQuestion, TurnEvent, TurnStatus, Usage,
};
/// The engine, and the service that runs the turns of a store.
pub use turnkit_engine as engine;
pub use turnkit_engine::permission::Decision;
pub use turnkit_engine::{Engine, RunEvent};

/// How running turns and their followers find each other.
#[cfg(feature = "sqlite")]
pub use turnkit_broker as broker;
/// Providers.
#[cfg(feature = "llm")]
pub use turnkit_llm as llm;
/// The HTTP server, and the framework of a host's own routes.
#[cfg(feature = "server")]
pub use {axum, turnkit_server as http};

/// Storage.
#[cfg(feature = "sqlite")]
pub use turnkit_store as store;
/// Built-in tools.
#[cfg(feature = "tools")]
pub use turnkit_tools as tools;

/// Compiles the programs of the guide.
#[cfg(all(doctest, feature = "llm", feature = "macros", feature = "server"))]
#[doc = include_str!("../../../docs/embed.md")]
struct Guide;
