//! Error types. Each error is classified once, where it occurs.

mod accept;
mod broker;
mod provider;
mod store;
mod tool;

pub use accept::AcceptError;
pub use broker::BrokerError;
pub use provider::{Phase, ProviderError, ProviderErrorKind};
pub use store::{ConflictKind, StoreError};
pub use tool::{ToolError, ToolErrorKind};
