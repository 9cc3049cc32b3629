//! What calls of a tool change.

use rmcp::model::ToolAnnotations;

/// What calls of a tool change, as its annotations tell clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    Reads,
    /// Each call adds something. A repeated call adds it twice.
    Adds,
    /// A call replaces what was there. A repeated call changes nothing more.
    Replaces,
}

impl Effect {
    pub(super) fn annotations(self) -> ToolAnnotations {
        ToolAnnotations::new()
            .read_only(self == Self::Reads)
            .destructive(self == Self::Replaces)
            .idempotent(self != Self::Adds)
            .open_world(false)
    }
}
