//! The definition of a tool of a source, as it is accepted.

use serde::{Deserialize, Serialize};

/// A definition of a tool of a source, such as a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolPin {
    /// The name of the source.
    pub source: String,
    /// The name of the tool.
    pub tool: String,
    /// SHA-256 of the definition, as [`Tool::pin`](crate::ports::Tool::pin) returns it.
    pub fingerprint: [u8; 32],
}

impl ToolPin {
    /// The number of tools of a source whose definitions are stored for one owner. A source that lists ever new names
    /// must not fill the storage.
    pub const MAX_PINS: usize = 4_000;
}
