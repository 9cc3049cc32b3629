//! The configuration: a file, the environment and defaults, resolved by pure functions.

mod check;
mod environment;
mod error;
mod place;
mod providers;
mod resolve;
mod schema;
mod source;

pub(crate) use error::ConfigError;
pub(crate) use place::{Resolved, load};
pub(crate) use schema::{AgentConfig, Api, Config, OnBusy, ProviderConfig, TimeoutsConfig};
