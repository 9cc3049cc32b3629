//! The setting for tool use of sessions and turns.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether the turns of a session, or a single turn, may use tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolUse {
    /// The turn may use the tools of its agent.
    #[default]
    Auto,
    /// The turn has no tools, and its model is sent no earlier calls and results.
    None,
}

impl ToolUse {
    /// Returns `true` if turns may use the tools of their agent.
    pub fn is_auto(&self) -> bool {
        *self == Self::Auto
    }
}
