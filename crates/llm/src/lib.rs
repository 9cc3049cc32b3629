//! Connects turnkit to language models. A wire encodes requests to bytes and decodes bytes to deltas, a transport
//! carries them, and a [`Provider`] answers through one endpoint.
//!
//! ```
//! use turnkit_llm::{NamedModel, Provider};
//!
//! let variable = |name: &str| (name == "OPENAI_API_KEY").then(|| "key".to_owned());
//! if let NamedModel::Endpoint(endpoint) = NamedModel::find("openai:gpt-5-mini", variable)? {
//!     let provider = Provider::new(*endpoint)?;
//! }
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod answer;
pub mod catalogue;
mod deadline;
mod destination;
mod endpoint;
mod model_client;
mod models;
mod named_model;
mod network;
mod network_error;
pub mod offline;
mod pool;
pub mod profile;
mod provider;
pub mod recording;
mod replay_provider;
mod retry_after;
pub mod sse;
mod tools;
mod transport;
mod upstream;
pub mod vendors;
pub mod wire;

pub use endpoint::{Endpoint, EndpointError, Secret, Timeouts};
pub use models::ModelList;
pub use named_model::{ModelNameError, NamedModel};
pub use pool::{Member, MemberModel, Pool, PoolOptions, RateLimit, Strategy};
pub use provider::Provider;
pub use replay_provider::{ReplayProvider, ReplayProviderError};
pub use tools::{DeclaredTools, SchemaRule, ToolDeclarations};
pub use turnkit_net::Proxy;
pub use wire::Wire;
