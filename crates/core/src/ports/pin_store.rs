//! Storage of the definitions of tools that were accepted.

use super::BoxFuture;
use crate::{Scope, StoreError, TenantId, Timestamp, ToolPin};

/// Stores which definition of each tool of a source was accepted: the first one that was seen, until a person accepts
/// another one. A source, such as a server, can change a tool at any time; calls of a changed tool need approval,
/// whatever rules say.
pub trait PinStore: Send + Sync {
    /// Compares definitions with those that were accepted for this owner, and returns the names of the tools whose
    /// definitions differ. The definition of a tool that was not seen before is accepted as it is. If the owner has
    /// accepted definitions of [`MAX_PINS`](ToolPin::MAX_PINS) tools of the source, further tools count as changed.
    ///
    /// # Errors
    /// Storage failed.
    fn pin<'a>(
        &'a self,
        owner: &'a PinOwner,
        tools: Vec<ToolPin>,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<Vec<String>, StoreError>>;

    /// Returns the names of the tools whose definitions were neither accepted for this scope, nor for its whole tenant,
    /// nor for everyone.
    ///
    /// # Errors
    /// Storage failed.
    fn unaccepted<'a>(
        &'a self,
        scope: &'a Scope,
        tools: Vec<ToolPin>,
    ) -> BoxFuture<'a, Result<Vec<String>, StoreError>>;

    /// Accepts definitions for this owner, in place of earlier ones of the same tools.
    ///
    /// # Errors
    /// Storage failed.
    fn accept_definitions<'a>(
        &'a self,
        owner: &'a PinOwner,
        tools: Vec<ToolPin>,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Returns the definitions of a source's tools that were accepted for this owner, by the names of the tools.
    ///
    /// # Errors
    /// Storage failed.
    fn pins<'a>(
        &'a self,
        owner: &'a PinOwner,
        source: &'a str,
    ) -> BoxFuture<'a, Result<Vec<AcceptedDefinition>, StoreError>>;
}

/// For whom a definition is accepted. Sources that offer everyone the same tools have them accepted for everyone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum PinOwner {
    /// All users of all tenants.
    Everyone,
    /// All users of a tenant.
    Tenant(TenantId),
    /// One user.
    User(Scope),
}

/// The accepted definition of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedDefinition {
    /// The name of the tool.
    pub tool: String,
    /// The fingerprint of the accepted definition.
    pub fingerprint: [u8; 32],
    /// When it was accepted.
    pub accepted_at: Timestamp,
    /// The last different definition that was seen since, if there was one.
    pub changed: Option<ChangedDefinition>,
}

/// A definition that differs from the accepted one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangedDefinition {
    /// The fingerprint of the definition.
    pub fingerprint: [u8; 32],
    /// When it was first seen.
    pub seen_at: Timestamp,
}
