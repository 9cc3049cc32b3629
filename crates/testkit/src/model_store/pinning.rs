//! Definitions of tools that were accepted.

use turnkit_core::ports::{AcceptedDefinition, BoxFuture, ChangedDefinition, PinOwner, PinStore};
use turnkit_core::{Scope, StoreError, Timestamp, ToolPin};

use super::ModelStore;
use super::disk::Rows;

impl PinStore for ModelStore {
    fn pin<'a>(
        &'a self,
        owner: &'a PinOwner,
        tools: Vec<ToolPin>,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<Vec<String>, StoreError>> {
        Box::pin(self.commit_as_holder(move |rows, _| {
            rows.unsynced = None;
            let mut changed = tools;
            changed.retain(|tool| !rows.pin(owner, tool, at));
            Ok(changed.into_iter().map(|tool| tool.tool).collect())
        }))
    }

    fn unaccepted<'a>(
        &'a self,
        scope: &'a Scope,
        tools: Vec<ToolPin>,
    ) -> BoxFuture<'a, Result<Vec<String>, StoreError>> {
        Box::pin(self.commit(move |rows, _| {
            let owners = [PinOwner::Everyone, PinOwner::Tenant(scope.tenant.clone()), PinOwner::User(scope.clone())];
            let is_accepted = |tool: &ToolPin| {
                let mut known = owners.iter().filter_map(|owner| rows.pins.get(&key(owner, tool)));
                known.any(|known| known.fingerprint == tool.fingerprint)
            };
            Ok(tools.into_iter().filter(|tool| !is_accepted(tool)).map(|tool| tool.tool).collect())
        }))
    }

    fn accept_definitions<'a>(
        &'a self,
        owner: &'a PinOwner,
        tools: Vec<ToolPin>,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(self.commit_as_holder(move |rows, _| {
            rows.unsynced = None;
            rows.pins.extend(tools.into_iter().map(|tool| (key(owner, &tool), accepted(tool, at))));
            Ok(())
        }))
    }

    fn pins<'a>(
        &'a self,
        owner: &'a PinOwner,
        source: &'a str,
    ) -> BoxFuture<'a, Result<Vec<AcceptedDefinition>, StoreError>> {
        Box::pin(self.commit(move |rows, _| {
            let is_of = |(of, from, _): &(PinOwner, String, String)| of == owner && from == source;
            let pins = rows.pins.iter().filter(|(key, _)| is_of(key));
            Ok(pins.map(|(_, pin)| pin.clone()).collect())
        }))
    }
}

impl Rows {
    /// Returns `true` if the definition is the accepted one, which the first one of a tool becomes.
    fn pin(&mut self, owner: &PinOwner, tool: &ToolPin, at: Timestamp) -> bool {
        let key = key(owner, tool);
        if let Some(known) = self.pins.get_mut(&key) {
            let is_accepted = known.fingerprint == tool.fingerprint;
            if !is_accepted && known.changed.is_none_or(|changed| changed.fingerprint != tool.fingerprint) {
                known.changed = Some(ChangedDefinition { fingerprint: tool.fingerprint, seen_at: at });
            }
            return is_accepted;
        }
        let is_of_source = |(of, from, _): &&(PinOwner, String, String)| of == owner && *from == tool.source;
        let has_room = self.pins.keys().filter(is_of_source).count() < ToolPin::MAX_PINS;
        if has_room {
            self.pins.insert(key, accepted(tool.clone(), at));
        }
        has_room
    }
}

fn key(owner: &PinOwner, tool: &ToolPin) -> (PinOwner, String, String) {
    (owner.clone(), tool.source.clone(), tool.tool.clone())
}

fn accepted(tool: ToolPin, at: Timestamp) -> AcceptedDefinition {
    let ToolPin { tool, fingerprint, .. } = tool;
    AcceptedDefinition { tool, fingerprint, accepted_at: at, changed: None }
}
