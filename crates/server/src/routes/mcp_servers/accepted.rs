//! The accepted definitions of a server's tools.

use std::collections::HashMap;

use turnkit_core::ports::{AcceptedDefinition, McpState, McpStatus, McpToolStatus, PinOwner, Store};
use turnkit_core::{StoreError, Timestamp};

/// The definitions that were accepted of a server's tools, by the names of the tools.
#[derive(Default)]
pub(super) struct Accepted(HashMap<String, Vec<AcceptedDefinition>>);

impl Accepted {
    /// Reads the definitions that count for the connection that a status describes: those for its owner, and those for
    /// everyone.
    pub(super) async fn read(store: &dyn Store, status: &McpStatus) -> Result<Self, StoreError> {
        let mut accepted = Self::default();
        if !matches!(status.state, McpState::Ready(_)) {
            return Ok(accepted);
        }
        accepted.add(store.pins(&PinOwner::Everyone, &status.name).await?);
        if status.owner != PinOwner::Everyone {
            accepted.add(store.pins(&status.owner, &status.name).await?);
        }
        Ok(accepted)
    }

    fn add(&mut self, definitions: Vec<AcceptedDefinition>) {
        for definition in definitions {
            self.0.entry(definition.tool.clone()).or_default().push(definition);
        }
    }

    fn of(&self, tool: &McpToolStatus) -> &[AcceptedDefinition] {
        self.0.get(&tool.name).map_or(&[], Vec::as_slice)
    }

    /// Reports whether the definition of a tool differs from those that were accepted. The first one that a turn is
    /// offered is accepted then.
    pub(super) fn differs(&self, tool: &McpToolStatus) -> bool {
        let known = self.of(tool);
        !known.is_empty() && known.iter().all(|known| Some(known.fingerprint) != tool.fingerprint)
    }

    /// Returns when a turn was first offered the present definition of a changed tool.
    pub(super) fn changed_at(&self, tool: &McpToolStatus) -> Option<Timestamp> {
        let mut changes = self.of(tool).iter().filter_map(|known| known.changed);
        changes.find(|change| Some(change.fingerprint) == tool.fingerprint).map(|change| change.seen_at)
    }
}
