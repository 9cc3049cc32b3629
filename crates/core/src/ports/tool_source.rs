//! Sources of tools that are only known when a turn asks for them.

use std::sync::Arc;

use super::{BoxFuture, PinOwner, ToolSet};
use crate::Scope;

/// Why a source currently has no tools, as a sentence for the operator and the user.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ToolSourceError(pub String);

/// A source of tools, such as a server. A turn asks its agent's sources once, when an owner starts to run it, and keeps
/// the returned tools: changes apply from the next turn. If a source fails, or takes longer than two seconds, the turn
/// runs without its tools.
///
/// ```
/// use std::sync::Arc;
/// use turnkit_core::Scope;
/// use turnkit_core::ports::{BoxFuture, ToolSet, ToolSource, ToolSourceError};
///
/// struct Tickets(Arc<ToolSet>);
///
/// impl ToolSource for Tickets {
///     fn name(&self) -> &str {
///         "tickets"
///     }
///     fn tools<'a>(&'a self, _: Option<&'a Scope>) -> BoxFuture<'a, Result<Arc<ToolSet>, ToolSourceError>> {
///         Box::pin(std::future::ready(Ok(Arc::clone(&self.0))))
///     }
/// }
///
/// let tickets = Tickets(Arc::default());
/// assert_eq!(tickets.name(), "tickets");
/// ```
pub trait ToolSource: Send + Sync {
    /// Returns the name of the source, for notices and for models that search for tools.
    fn name(&self) -> &str;

    /// Returns `true` if the tools are deferred: a model does not see them until it has found them with `tool_search`.
    fn defers(&self) -> bool {
        false
    }

    /// Returns for whom a definition of a tool is accepted when this owner of sessions is first offered it: by default
    /// for everyone. A source whose tools differ by user or tenant returns that user or tenant.
    fn pin_owner(&self, _scope: &Scope) -> PinOwner {
        PinOwner::Everyone
    }

    /// Returns what [`tools`](Self::tools) would return, if it is known without a wait; otherwise `None`, as by default.
    /// A turn that has many sources asks those that have their tools in memory with less work.
    fn known_tools(&self, _scope: Option<&Scope>) -> Option<Arc<ToolSet>> {
        None
    }

    /// Returns the tools for the session's owner; `scope` is `None` if the host keeps the session itself. As long as
    /// nothing has changed, it should return the same set, because turns with the same sets share data derived from
    /// them.
    ///
    /// # Errors
    /// The source currently has no tools.
    fn tools<'a>(&'a self, scope: Option<&'a Scope>) -> BoxFuture<'a, Result<Arc<ToolSet>, ToolSourceError>>;
}
